import type { Copy, FollowedLists, RaceResultsClient } from '../../client/index.ts';
import type { HeldValue } from './difference.ts';
import { keyOf, textOf, textOfPassing } from './item.ts';

/** The results and passings stored by the API, by key. Each look fetches the changes alone. */
export class Held {
  readonly values = new Map<string, HeldValue>();
  readonly passings: Copy<'passings'>;
  readonly #results: Copy<'results'>;
  /** The key of each registration, or of a registration at a point. */
  readonly #keys = new Map<string, string>();

  constructor(client: RaceResultsClient, eventId: string) {
    this.#results = client.follow('results', eventId);
    this.passings = client.follow('passings', eventId);
  }

  /**
   * Each answer counts at once: the next look has only later changes, also after a failed request.
   * @throws RaceResultsError
   */
  async look(signal: AbortSignal, isOfPassings = true): Promise<void> {
    const results = await this.#results.update({ signal });
    for (const item of results.removed) this.#forget(item.inscription_id);
    for (const item of results.changed) {
      const { inscription_id: id, bib_number } = item;
      this.#keep(id, id, bib_number, textOf({ ...item, bib_number: bib_number ?? '' }));
    }
    if (!isOfPassings) return;
    const passings = await this.passings.update({ signal });
    for (const item of passings.removed) this.#forget(idOf(item));
    for (const item of passings.changed) {
      const { bib_number, point, time } = item;
      const key = bib_number === null ? null : keyOf(bib_number, point);
      const text = textOfPassing({ bib_number: bib_number ?? '', point, time });
      this.#keep(idOf(item), item.inscription_id, key, text);
    }
  }

  #keep(id: string, registration: string, key: string | null, text: string): void {
    this.#forget(id);
    if (key === null) return;
    this.#keys.set(id, key);
    this.values.set(key, { text, id: registration });
  }

  #forget(id: string): void {
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    if (key === undefined) return;
    const [registration] = id.split(' ');
    if (this.values.get(key)?.id === registration) this.values.delete(key);
  }
}

const idOf = ({ inscription_id, point }: FollowedLists['passings']): string =>
  `${inscription_id} ${point}`;
