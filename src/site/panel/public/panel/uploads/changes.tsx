import { DOT } from '../../shared/dom.ts';
import type { Change } from '../api.ts';
import { exactTime, outcomeOf, rankTime, shortTime, textOfUploads as text } from '../formats.ts';
import { TIMES } from '../runner/correction.ts';

type Changed = Pick<Change, 'bib_number' | 'before' | 'after'>;

/** A result before → the result now, on a line. */
export function changeText({ before, after }: Changed) {
  const said = outcomesOf(before, after);
  return said.length === 1 ? detailsOf(before, after).join(DOT) : said.join(ARROW);
}

/** The change of a result, made or expected: a bib, and the result before → the result now. */
export const ChangeItem = ({ bib_number, before, after }: Changed) => (
  <li class="row">
    <strong class="bib">{bib_number ?? '–'}</strong>
    <span>{outcomesOf(before, after).join(ARROW)}</span>
    <small class="soft">{detailsOf(before, after).join(DOT)}</small>
  </li>
);

const ARROW = ' → ';

/** The two texts if the texts differ, or else one text. Times within a second are written exactly. */
function told<Value>(before: Value, after: Value, format: (value: Value, time: Format) => string) {
  const [short, exact] = [shortTime, exactTime].map((time) => [
    ...new Set([format(before, time), format(after, time)]),
  ]);
  return short && exact && exact.length > short.length ? exact : (short ?? []);
}

type Format = (time: string) => string;

const outcomesOf = (before: Change['before'], after: Change['after']) =>
  told(before, after, outcomeOf);

/** The differing times, except the outcome's time. */
function detailsOf(before: Change['before'], after: Change['after']): string[] {
  if (!(before && after)) return [];
  const splits = [...new Set([...Object.keys(before.splits), ...Object.keys(after.splits)])];
  const isSaid = (name: (typeof TIMES)[number]) =>
    outcomesOf(before, after).length > 1 &&
    [before, after].some((result) => result[name] !== null && result[name] === rankTime(result));
  return [
    ...TIMES.filter((name) => !isSaid(name)).flatMap((name) =>
      difference(text(`figure.${name}`), before[name], after[name]),
    ),
    ...splits.flatMap((name) => difference(name, before.splits[name], after.splits[name])),
  ];
}

function difference(name: string, before?: string | null, after?: string | null) {
  const times = told(before, after, (time, format) => (time ? format(time) : '–'));
  return times.length > 1 ? [`${name} ${times.join(ARROW)}`] : [];
}
