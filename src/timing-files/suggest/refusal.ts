import { FileError } from '../read/file-error.ts';
import { type Parameters, writeQuery } from '../read/parameters.ts';
import type { SheetStart } from '../read/workbook.ts';
import { askForTable } from './alternatives.ts';
import { lookAt } from './file-start.ts';
import { question, suggest } from './suggestion.ts';

/**
 * Adds to an error what the file looks like, and the parameters with which it can be read.
 * @param sheets all sheets of a workbook with several, if no parameter names one
 */
export function* explainRefusal(
  error: FileError,
  blocks: readonly Uint8Array[],
  parameters: Parameters,
  sheets: readonly SheetStart[] = [],
): Generator<undefined, FileError> {
  if (!error.isMendable) return error;
  try {
    const remedy = yield* findRemedy(blocks, parameters, sheets);
    return error.with(remedy);
  } catch (other) {
    // A file that no parameters make readable needs that said, not the missing column.
    if (other instanceof FileError) return other;
    throw other;
  }
}

function* findRemedy(
  blocks: readonly Uint8Array[],
  sent: Parameters,
  sheets: readonly SheetStart[],
): Generator<undefined, string[]> {
  const looked = lookAt(blocks, sent);
  const { start, given } = looked;
  const doubt = yield* askForTable(sheets, looked);
  const { parameters, why, doubts } = doubt ? question(doubt) : yield* suggest(start, given);
  const kind = sent.point === undefined ? 'results' : 'passings';
  const choices = doubts.flatMap((doubt) => doubt.choices ?? []);
  const answers = choices.map((choice) => `${spelled(choice.query)} (${choice.why})`);
  const query = parameters && parameters !== given ? spelled(writeQuery(parameters)) : '';
  const parts = [
    start.headerLine === 0 ? 'The file has no header.' : '',
    start.headerLine > 0 && !start.isFirst ? `Line ${start.headerLine} looks like the header.` : '',
    ...doubts.map(({ detail }) => detail),
    answers.length > 0 ? `Send it with one of these parameters: ${answers.join('; ')}.` : '',
    query === '' ? why : `${why} Send it with ${query}.`,
    `To see how a file would be read, post it to …/${kind}/file/preview.`,
  ];
  return parts.filter((part) => part !== '');
}

/** The parameters of a query as a person writes them. */
const spelled = (query: string): string =>
  [...new URLSearchParams(query)].map((pair) => pair.join('=')).join(', ');
