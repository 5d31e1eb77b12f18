import { FileError } from '../read/file-error.ts';
import { type Parameters, writeQuery } from '../read/parameters.ts';
import type { SheetStart } from '../read/workbook.ts';
import { askForTable } from './alternatives.ts';
import { lookAt } from './file-start.ts';
import { question, suggest } from './suggestion.ts';

/**
 * Adds to an error a description of the file, and the parameters with which the file loads.
 * @param sheets all sheets of a workbook with several sheets, if no parameter names a sheet
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
    // If no parameters make a file readable, the error says so, and not that a column is missing.
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

/** The parameters of a query in a person's spelling. */
const spelled = (query: string): string =>
  [...new URLSearchParams(query)].map((pair) => pair.join('=')).join(', ');
