import type { Copy, FollowedLists, RaceResultsClient } from '../../client/index.ts';
import type { Acknowledged, HeldValue } from './difference.ts';
import { keyOf, textOf, textOfPassing } from './item.ts';

/** The results and passings stored by the API, by key. Each look fetches the changes alone. */
export class Held {
  readonly values = new Map<string, HeldValue>();
  readonly passings: Copy<'passings'>;
  readonly #results: Copy<'results', { id: string; key: string | null; text: string }>;
  /** The key of each registration, or of a registration at a point. */
  readonly #keys = new Map<string, string>();
  readonly #onChange: () => void;

  /**
   * @param acknowledged equal texts share memory
   * @param onChange is called for each change
   */
  constructor(
    client: RaceResultsClient,
    eventId: string,
    acknowledged: ReadonlyMap<string, Acknowledged> = new Map(),
    onChange = () => {},
  ) {
    this.#onChange = onChange;
    this.#results = client.follow('results', eventId, undefined, (item) => {
      const { inscription_id: id, bib_number: key } = item;
      const text = textOf({ ...item, bib_number: key ?? '' });
      const known = acknowledged.get(key ?? '')?.text;
      return { key, id, text: known === text ? known : text };
    });
    this.passings = client.follow('passings', eventId);
  }

  /**
   * Each answer counts at once: the next look has only later changes, also after a failed request.
   * @throws RaceResultsError
   */
  async look(signal: AbortSignal, isOfPassings = true): Promise<void> {
    const results = await this.#results.update({ signal });
    for (const { id } of results.removed) this.#forget(id);
    for (const item of results.changed) this.#keep(item.id, item.key, item);
    if (!isOfPassings) return;
    const passings = await this.passings.update({ signal });
    for (const item of passings.removed) this.#forget(idOf(item));
    for (const item of passings.changed) {
      const { bib_number, point, time } = item;
      const key = bib_number === null ? null : keyOf(bib_number, point);
      const text = textOfPassing({ bib_number: bib_number ?? '', point, time });
      this.#keep(idOf(item), key, { text, id: item.inscription_id });
    }
  }

  #keep(id: string, key: string | null, value: HeldValue): void {
    this.#forget(id);
    if (key === null) return;
    this.#keys.set(id, key);
    this.values.set(key, value);
  }

  #forget(id: string): void {
    this.#onChange();
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    if (key === undefined) return;
    const [registration] = id.split(' ');
    if (this.values.get(key)?.id === registration) this.values.delete(key);
  }
}

const idOf = ({ inscription_id, point }: FollowedLists['passings']): string =>
  `${inscription_id} ${point}`;
