import type { BoardResult, BoardSnapshot } from '../../../../worker/board/answer-schemas.ts';
import { byId, element, hide, keyed, part, write } from '../shared/dom.ts';
import { opening, setLink } from './address.ts';
import { formatExactly, formatMoment, formatTime, text } from './formats.ts';
import { serverNow } from './server-clock.ts';

type Official = NonNullable<BoardSnapshot['official']>;
type Change = NonNullable<Official['changes']>['first'][number];

/** The last official version. Undefined until the board is known. */
let official: BoardSnapshot['official'] | undefined;
let shown: BoardSnapshot | undefined;
let rankBy: BoardSnapshot['event']['rank_by'] = 'chip';

/** Shows whether the results are official, the changes since, and the link for a check. */
export function renderOfficial(snapshot: BoardSnapshot, board: string): void {
  shown = snapshot;
  official = snapshot.official;
  rankBy = snapshot.event.rank_by;
  const hasResults = snapshot.races.some(({ counts }) =>
    Object.values(counts).some((count) => count > 0),
  );
  const made = official && {
    version: official.version,
    time: formatMoment(Date.parse(official.made_at), serverNow()),
  };
  const { total = 0, first = [] } = official?.changes ?? {};
  const isHidden = !official && !hasResults;
  hide({
    '#worth': isHidden,
    '#official': isHidden,
    '#official-file': !official,
    '#official-check': !official,
    // The changes are unknown until the first comparison.
    '#official-changes': !official?.changes,
  });
  write(document, {
    '#worth': made
      ? text(`worth.${official?.state ?? 'official'}`, made)
      : text('worth.provisional'),
    '#official > p > span': made
      ? text(`official.${official?.state ?? 'official'}`, made)
      : text('official.provisional'),
    '#official-changes summary':
      total > 0 ? text('changes', { count: total }) : text('changesOther'),
    '#official-more':
      total > first.length ? text('changesMore', { count: total - first.length }) : '',
    '#official-other': total > 0 ? '' : text('changesOtherWhy'),
  });
  part(document, '#worth').dataset['state'] = official?.state ?? 'provisional';
  byId('official-file', HTMLAnchorElement).href = `${board}/official/${official?.version}`;
  const docs = document.documentElement.lang === 'es' ? '/docs/es' : '/docs';
  byId('official-check', HTMLAnchorElement).href =
    `${docs}/verify?event=${board.split('/').at(-1)}`;
  keyed(
    byId('official-list', HTMLElement),
    first,
    (_, at) => String(at),
    () => element('li', {}, element('a', { class: 'bib figures' }), element('span', {})),
    (item, change) => {
      const link = part(item, 'a');
      write(item, { a: change.bib_number ?? '–', span: changeText(change) });
      if (change.bib_number === null) link.removeAttribute('href');
      else setLink(link, opening(change.bib_number));
    },
  );
}

/** The board behind a certificate. Undefined until the board is known. */
export const certified = () => shown;

/** The official worth of a runner's result, in a few words; empty without a result. */
export function worthOf({ bib_number, status }: BoardResult): string {
  if (status === null || official === undefined) return '';
  if (official === null) return text('worth.provisional');
  const { version, state, changes } = official;
  if (state === 'official') return text('worth.official', { version });
  const own = changes?.first.find((change) => change.bib_number === bib_number);
  if (own) return text('ownChange', { version, what: changeText(own) });
  // A cut list says nothing about missing runners.
  const isComplete = changes !== null && changes.total === changes.first.length;
  return isComplete ? text('ownSame', { version }) : '';
}

/** A result before → the result now. */
function changeText({ before, after }: Change): string {
  const times = rankBy === 'chip' ? (['chip', 'gun'] as const) : (['gun', 'chip'] as const);
  // A change within a second is shown exactly.
  for (const format of [formatTime, formatExactly]) {
    for (const by of times) {
      const [then, now] = [before, after].map((result) => outcome(result, by, format));
      if (then !== now) return `${then} → ${now}`;
    }
  }
  return text('changedSplits');
}

/** A time, or a status without one. Without a chip time, a runner is ranked by gun time, and vice versa. */
function outcome(
  result: Change['before'],
  by: 'chip' | 'gun',
  format: (time: string) => string,
): string {
  if (!result) return text('noResult');
  const { status, chip_time, gun_time } = result;
  const time = by === 'chip' ? (chip_time ?? gun_time) : (gun_time ?? chip_time);
  return time === null ? text(`status.${status}`) : format(time);
}
