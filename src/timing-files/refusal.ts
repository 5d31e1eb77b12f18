import { FileError } from './file-error.ts';
import { readStart } from './file-start.ts';
import type { Parameters } from './parameters.ts';
import { writeQuery } from './parameters.ts';
import { suggest } from './suggestion.ts';

/** What a refused file looks like, and the parameters under which it would be read. */
export function explainRefusal(error: FileError, start: string, parameters: Parameters): FileError {
  if (error.lack === undefined) return error;
  try {
    return new FileError(error.found, error.lack, remedy(start, parameters));
  } catch (other) {
    // What makes the file unreadable in any way says more than the column that is missing.
    if (other instanceof FileError) return other;
    throw other;
  }
}

function remedy(start: string, given: Parameters): string {
  const found = readStart(start, given);
  const { parameters, why, doubts } = suggest(found, given);
  const choices = doubts.filter((doubt) => (doubt.choices ?? []).length > 0);
  const parts = [
    found.headerLine === 0 ? 'The file has no header.' : '',
    found.headerLine > 0 && !found.isFirst ? `Line ${found.headerLine} looks like the header.` : '',
    ...choices.map(({ detail }) => detail),
    parameters ? `${why} Add ?${writeQuery(parameters)} to the address.` : '',
    parameters || choices.length > 0 ? PREVIEW : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const PREVIEW = 'To see how a file would be read, post it to …/results/file/preview.';
