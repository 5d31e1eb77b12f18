import { type Comparison, compareExport } from '../official/comparison.ts';
import {
  NotOfficial,
  type OfficialVersion,
  type PublicKeys,
  readVersion,
} from '../official/version.ts';
import { isRankingRule } from '../read/ranking-rule.ts';
import { byId, element } from '../shared/dom.ts';
import { formatDayInPlace, formatInPlace, MINUTE, zoneOf } from '../shared/place-time.ts';
import { seal } from '../shared/seal.ts';
import { svg } from '../shared/svg.ts';
import { createText, setLanguage } from '../shared/texts.ts';
import en from './verify/en.json' with { type: 'json' };
import es from './verify/es.json' with { type: 'json' };

const version = byId('version', HTMLInputElement);
const exported = byId('export', HTMLInputElement);
const verdict = byId('verdict', HTMLElement);

/** A longer list is cut: the file has the rest. */
const SHOWN_MAX = 200;

/** The event in the link to this page. */
const expectedEvent = new URLSearchParams(location.search).get('event') ?? undefined;

const text = createText({ en, es });
setLanguage(document.documentElement.lang);

/** A later version of the API may have signed a rule unknown to this page. */
const ranked = (rule: string): string => (isRankingRule(rule) ? text(`rule.${rule}`) : rule);

/** Counts the requests, because a later answer may come first. */
let asked = 0;

/** The published file, once the reader asks for it. */
let published: Promise<Blob> | undefined;

byId('files', HTMLFormElement).addEventListener('change', () => void verify());
const ask = byId('published', HTMLButtonElement);
ask.hidden = expectedEvent === undefined;
ask.addEventListener('click', () => {
  version.value = '';
  published = fetchPublished();
  void verify();
});
// A reader may have chosen a file before this script came.
void verify();

async function verify(): Promise<void> {
  const file = version.files?.[0] ?? published;
  const csv = exported.files?.[0];
  nameChosen();
  if (!file) return;
  const at = ++asked;
  const said = await judged(file, csv);
  if (at !== asked) return;
  verdict.replaceChildren(...said);
  verdict.scrollIntoView({ block: 'nearest' });
}

/** Each box shows the name of its file. */
function nameChosen() {
  for (const field of [version, exported]) {
    const place = field.parentElement?.querySelector<HTMLElement>('.chosen');
    if (!place) continue;
    place.dataset['empty'] ??= place.textContent ?? '';
    place.textContent = field.files?.[0]?.name ?? place.dataset['empty'];
  }
}

async function judged(file: Blob | Promise<Blob>, csv: File | undefined): Promise<Node[]> {
  try {
    const [keys, blob] = await Promise.all([publicKeys(), file]);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const found = await readVersion(bytes, keys, expectedEvent);
    const zone = zoneOf((await boardOf())?.time_zone ?? null);
    return [...about(found, zone), ...(csv ? compared(found, await csv.text()) : [])];
  } catch (error) {
    if (!(error instanceof NotOfficial)) return failed(error);
    const { refusal, statement } = error;
    return [
      judgement('bad', text(`head.${refusal}`), text(`refused.${refusal}`)),
      ...(statement ? facts(statement.event.name, statement.organization.name) : []),
    ];
  }
}

async function publicKeys(): Promise<PublicKeys> {
  const answer = await fetch('/.well-known/jwks.json');
  if (!answer.ok) throw new Error(text('noKeys', { status: String(answer.status) }));
  return answer.json();
}

/** The public board of the event in the link. Undefined without an event, or without a public board. */
async function boardOf(): Promise<
  { time_zone: string | null; official: { version: number } | null } | undefined
> {
  if (expectedEvent === undefined) return undefined;
  const answer = await fetch(`/board/v1/${encodeURIComponent(expectedEvent)}`);
  return answer.ok ? answer.json() : undefined;
}

async function fetchPublished(): Promise<Blob> {
  const last = (await boardOf())?.official?.version;
  const answer =
    last === undefined ? undefined : await fetch(`/board/${expectedEvent}/official/${last}`);
  if (!answer?.ok) throw new Error(text('notPublished'));
  return answer.blob();
}

const failed = (error: unknown): Node[] => [
  judgement('bad', text('notChecked'), text('failed', { error: String(error) })),
];

/** Says first, and large, whether the file is genuine. */
const judgement = (kind: 'good' | 'bad', title: string, why: string): HTMLElement =>
  element(
    'div',
    { class: `card judged ${kind}` },
    kind === 'good' ? seal() : refusal(),
    heading(title, kind),
    element('p', {}, why),
  );

const refusal = () =>
  svg(
    'svg',
    { class: 'seal', viewBox: '0 0 200 200', 'aria-hidden': 'true' },
    svg('circle', { class: 'disc', cx: 100, cy: 100, r: 96 }),
    svg('path', { class: 'mark', d: 'M70 70l60 60M130 70l-60 60' }),
  );

const heading = (words: string, kind: 'good' | 'bad') => element('h2', { class: kind }, words);

function facts(...lines: string[]): Node[] {
  return [element('ul', {}, ...lines.map((line) => element('li', {}, line)))];
}

/** @param zone the time zone of the event's place, if known: the board shows the same day and the same time */
function about({ statement, kid }: OfficialVersion, zone: string | undefined): Node[] {
  const { event, organization, rows, made_at, version } = statement;
  const day = formatDayInPlace(event.event_date, DAY, zone);
  const time = formatInPlace(new Date(made_at), { ...DAY, ...MINUTE }, zone);
  return [
    judgement('good', text('official'), text('right')),
    ...facts(
      text('event', { name: event.name, day }),
      text('organization', { name: organization.name }),
      text('version', { version, time }),
      text('results', { count: rows }),
      text('places', { rule: ranked(statement.rank_by) }),
    ),
    element(
      'details',
      {},
      element('summary', {}, text('details')),
      ...facts(text('eventId', { id: event.id }), text('key', { id: kid })),
    ),
  ];
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' };

function compared({ results }: OfficialVersion, csv: string): Node[] {
  const comparison = compareExport(results, csv);
  if (!comparison) {
    return [heading(text('noExport'), 'bad'), element('p', {}, text('exportColumns'))];
  }
  const { equal, different, missing, extra } = comparison;
  const isEqual = [different, missing, extra].every(({ length }) => length === 0);
  return [
    isEqual ? heading(text('same'), 'good') : heading(text('differs'), 'bad'),
    ...facts(
      text('equal', { count: equal }),
      ...(different.length > 0 ? [text('different', { count: bibsOf(different) })] : []),
      ...listed('missing', missing),
      ...listed('extra', extra),
    ),
    ...(different.length > 0 ? [tableOf(different)] : []),
  ];
}

const bibsOf = (different: Comparison['different']): number =>
  new Set(different.map(({ bib }) => bib)).size;

function listed(what: 'missing' | 'extra', bibs: readonly string[]): string[] {
  if (bibs.length === 0) return [];
  const shown = bibs.slice(0, SHOWN_MAX);
  const cut = bibs.length > SHOWN_MAX ? ['…'] : [];
  return [text(what, { total: bibs.length, bibs: [...shown, ...cut].join(', ') })];
}

function tableOf(different: Comparison['different']): Node {
  const columns = [text('bib'), text('field'), text('signed'), text('found')];
  // On a phone, each cell names its column.
  const row = (kind: 'th' | 'td', cells: readonly string[]) =>
    element(
      'tr',
      {},
      ...cells.map((cell, at) => element(kind, { 'data-column': columns[at] ?? '' }, cell)),
    );
  const rows = different
    .slice(0, SHOWN_MAX)
    .map(({ bib, field, signed, found }) => row('td', [bib, field, signed || '–', found || '–']));
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': text('differences') },
    element('table', {}, element('thead', {}, row('th', columns)), element('tbody', {}, ...rows)),
  );
}
