import type { Verdict } from '../queue/decide.ts';
import type { Compared } from '../queue/queue.ts';
import { shortText } from '../queue/result-row.ts';
import type { RaceState, UnreadableRow } from '../queue/state.ts';
import { named, results, rows, say } from '../words.ts';
import type { Event, Output } from './output.ts';

const ROWS_SAID = 10;

/** What `watch` says while it works: each thing once, until it is another one. */
export class Notices {
  readonly #output: Output;
  readonly #said = new Map<string, string>();

  constructor(output: Output) {
    this.#output = output;
  }

  once(what: string, event: Event, text: string): void {
    if (this.isNew(what, text)) this.#output.warning(event, text);
  }

  isNew(what: string, text: string): boolean {
    if (this.#said.get(what) === text) return false;
    this.#said.set(what, text);
    return true;
  }

  /** It is said again if it comes again. */
  forget(what: string): void {
    this.#said.delete(what);
  }

  /** The rows of a version that are not sent, and why. */
  verdict(file: string, verdict: Verdict): void {
    const { disagreeing, vanished, heldBack, contested, restored } = verdict;
    for (const { bib, line, held, text } of disagreeing) {
      const [decided, found] = [shortText(held), shortText(text)];
      this.once(
        `held ${bib} ${text}`,
        { type: 'held', bib, line, held: decided, in_file: found },
        say('bib_is_held_as_line', { bib, decided, line, found }),
      );
    }
    for (const { bib, line, text } of heldBack) {
      const found = shortText(text);
      this.once(
        `held back ${bib} ${text}`,
        { type: 'held_back', bib, line, in_file: found },
        say('bib_is_stored_as_dsq', { bib, line, file, found }),
      );
    }
    const notes: [string, string[], string][] = [
      ['vanished', vanished, say('are_not_in_the_file')],
      [
        'contested',
        contested.map(({ bib }) => bib),
        say('have_another_result_in_the', { file: contested[0]?.file, file2: file }),
      ],
      ['restored', restored, say('were_taken_back_with_rows')],
    ];
    for (const [type, bibs, what] of notes) {
      if (bibs.length === 0) continue;
      const text = `${say('bibs')} ${named(bibs)} ${what}.`;
      this.once(`${type} ${file}`, { type, file, bibs }, text);
    }
  }

  /** Each rejected row, and where all of them are. */
  rejected(state: RaceState, unreadable: readonly UnreadableRow[], path: string): void {
    const output = this.#output;
    const all = [
      ...unreadable.map(({ line, ...row }) => ({
        ...row,
        where: `${say('line_2')} ${line}`,
      })),
      ...[...state.rejected].map(([bib, { reason, code }]) => ({
        bib,
        reason,
        code,
        where: '',
      })),
    ];
    const fresh = all.filter(({ bib, where, reason }) =>
      this.isNew(`rejected ${bib ?? where}`, reason),
    );
    for (const { where, ...row } of fresh.slice(0, ROWS_SAID)) {
      const bib = row.bib === null ? '' : `${say('bib_2')} ${row.bib}`;
      const text = `${[where, bib].filter((part) => part !== '').join(', ')}: ${row.reason}`;
      output.warning({ type: 'rejected', ...row }, text);
    }
    if (fresh.length === 0) return;
    output.progress(
      { type: 'rejected_file', file: path, count: fresh.length },
      say('rejected_see_which_can_be', { rows: rows(fresh.length), path }),
    );
  }

  /** The differences that a comparison with the API found. */
  compared({ lost, differences, resent }: Compared): void {
    const output = this.#output;
    if (lost.length > 0) {
      output.error(
        { type: 'lost', bibs: lost },
        say('the_api_has_lost_which', { results: results(lost.length), bibs: named(lost) }),
      );
    }
    if (resent.length > 0) {
      const text = say('sends_again_bib', { bibs: named(resent) });
      output.progress({ type: 'resent', bibs: resent }, text);
    }
    for (const { bib, sent, held } of differences.slice(0, ROWS_SAID)) {
      const found = shortText(held) ?? say('no_result');
      output.warning(
        { type: 'difference', bib, sent: shortText(sent), held: held ?? null },
        say('bib_the_api_holds_and', { bib, found, result: shortText(sent) }),
      );
    }
    const more = differences.length - ROWS_SAID;
    if (more > 0) output.warning({ type: 'differences', count: more }, say('and_more_2', { more }));
  }
}
