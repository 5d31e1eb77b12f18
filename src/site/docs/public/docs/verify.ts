import { type Comparison, compareExport } from '../official/comparison.ts';
import {
  NotOfficial,
  type OfficialVersion,
  type PublicKeys,
  type Refusal,
  readVersion,
} from '../official/version.ts';
import { isRankingRule, type RankingRule } from '../read/ranking-rule.ts';
import { byId, element } from '../shared/dom.ts';

const version = byId('version', HTMLInputElement);
const exported = byId('export', HTMLInputElement);
const verdict = byId('verdict', HTMLElement);

/** A longer list is cut: the file has the rest. */
const SHOWN_MAX = 200;

/** The event in the link to this page. */
const expectedEvent = new URLSearchParams(location.search).get('event') ?? undefined;

const REFUSED: Readonly<Record<Refusal, string>> = {
  not_a_version:
    'This file is no official version of results. The file of a version ends in .jsonl, and begins with its signature.',
  unknown_key:
    'The key that signed this file is not among those that this site publishes. Somebody else signed it.',
  wrong_signature:
    'The signature is wrong: another key made it, or somebody changed what it states.',
  other_document:
    'The results are not those that were signed: a result was changed, added or taken away, or the signature belongs to another file.',
  other_event: 'The signature is right, and it is of another event.',
};

/** How each rule of ranking places runners. */
const RANKED: Readonly<Record<RankingRule, string>> = {
  chip: 'by chip time',
  gun: 'by gun time',
  gun_overall: 'by gun time, in categories by chip time',
};

/** A later version of the API may have signed a rule unknown to this page. */
const ranked = (rule: string): string => (isRankingRule(rule) ? RANKED[rule] : rule);

/** Counts the requests, because a later answer may come first. */
let asked = 0;

byId('files', HTMLFormElement).addEventListener('change', () => void verify());

async function verify(): Promise<void> {
  const file = version.files?.[0];
  const csv = exported.files?.[0];
  if (!file) return;
  const at = ++asked;
  const said = await judged(file, csv);
  if (at === asked) verdict.replaceChildren(...said);
}

async function judged(file: File, csv: File | undefined): Promise<Node[]> {
  try {
    const [keys, bytes] = await Promise.all([publicKeys(), file.arrayBuffer()]);
    const found = await readVersion(new Uint8Array(bytes), keys, expectedEvent);
    return [...about(found), ...(csv ? compared(found, await csv.text()) : [])];
  } catch (error) {
    if (!(error instanceof NotOfficial)) return failed(error);
    const { refusal, statement } = error;
    return [
      heading('Not official', 'bad'),
      element('p', {}, REFUSED[refusal]),
      ...(statement ? facts(statement.event.name, statement.organization.name) : []),
    ];
  }
}

async function publicKeys(): Promise<PublicKeys> {
  const answer = await fetch('/.well-known/jwks.json');
  if (!answer.ok) throw new Error(`The public keys could not be read: ${answer.status}.`);
  return answer.json();
}

const failed = (error: unknown): Node[] => [
  heading('Not checked', 'bad'),
  element('p', {}, `This browser could not check the file. ${String(error)}`),
];

const heading = (text: string, kind: 'good' | 'bad') => element('h2', { class: kind }, text);

function facts(...lines: string[]): Node[] {
  return [element('ul', {}, ...lines.map((line) => element('li', {}, line)))];
}

function about({ statement, kid }: OfficialVersion): Node[] {
  const { event, organization, rows, made_at, version } = statement;
  return [
    heading('Official', 'good'),
    element('p', {}, 'The signature is right, and every result is as it was signed.'),
    ...facts(
      `Event: ${event.name}, ${event.event_date.slice(0, 10)} (${event.id})`,
      `Organization: ${organization.name}`,
      `Version ${version} of ${new Date(made_at).toLocaleString('en', { dateStyle: 'long', timeStyle: 'long' })}`,
      `${rows} results`,
      `Places within a distance: ${ranked(statement.rank_by)}`,
      `Key: ${kid}`,
    ),
  ];
}

function compared({ results }: OfficialVersion, csv: string): Node[] {
  const comparison = compareExport(results, csv);
  if (!comparison) {
    return [
      heading('The other file is no export', 'bad'),
      element(
        'p',
        {},
        'An export of results in CSV has columns such as bib_number, status and chip_time.',
      ),
    ];
  }
  const { equal, different, missing, extra } = comparison;
  const isEqual = [different, missing, extra].every(({ length }) => length === 0);
  return [
    heading(isEqual ? 'The export says the same' : 'The export differs', isEqual ? 'good' : 'bad'),
    ...facts(
      `${equal} rows are as they were signed.`,
      ...(different.length > 0 ? [`${bibsOf(different)} rows differ.`] : []),
      ...listed('Signed, and not in the export', missing),
      ...listed('In the export, and not signed', extra),
    ),
    ...(different.length > 0 ? [tableOf(different)] : []),
  ];
}

const bibsOf = (different: Comparison['different']): number =>
  new Set(different.map(({ bib }) => bib)).size;

const listed = (what: string, bibs: readonly string[]): string[] =>
  bibs.length === 0
    ? []
    : [
        `${what}: ${bibs.length} (${bibs.slice(0, SHOWN_MAX).join(', ')}${bibs.length > SHOWN_MAX ? ', …' : ''})`,
      ];

function tableOf(different: Comparison['different']): Node {
  const row = (kind: 'th' | 'td', cells: readonly string[]) =>
    element('tr', {}, ...cells.map((cell) => element(kind, {}, cell)));
  const rows = different
    .slice(0, SHOWN_MAX)
    .map(({ bib, field, signed, found }) => row('td', [bib, field, signed || '–', found || '–']));
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': 'Differences' },
    element(
      'table',
      {},
      element('thead', {}, row('th', ['Bib', 'What', 'Signed', 'In the export'])),
      element('tbody', {}, ...rows),
    ),
  );
}
