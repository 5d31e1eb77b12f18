import { FileError } from '../read/file-error.ts';
import { type Parameters, writeQuery } from '../read/parameters.ts';
import { readStart } from './file-start.ts';
import { suggest } from './suggestion.ts';

/** Adds to an error what the file looks like, and the parameters with which it can be read. */
export function explainRefusal(error: FileError, parameters: Parameters): FileError {
  const { lack, start, message } = error;
  if (start === '') return error;
  try {
    const remedy = findRemedy(start, parameters);
    return new FileError(remedy === '' ? message : `${message} ${remedy}`, lack);
  } catch (other) {
    // A file that no parameters make readable needs that said, not the missing column.
    if (other instanceof FileError) return other;
    throw other;
  }
}

function findRemedy(start: string, given: Parameters): string {
  const found = readStart(start, given);
  const { parameters, why, doubts } = suggest(found, given);
  const parts = [
    found.headerLine === 0 ? 'The file has no header.' : '',
    found.headerLine > 0 && !found.isFirst ? `Line ${found.headerLine} looks like the header.` : '',
    ...doubts.map(({ detail }) => detail),
    parameters ? `${why} Add ?${writeQuery(parameters)} to the address.` : '',
    'To see how a file would be read, post it to …/results/file/preview.',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
