import { FileError } from '../read/file-error.ts';
import { type Parameters, writeQuery } from '../read/parameters.ts';
import { lookAt } from './file-start.ts';
import { suggest } from './suggestion.ts';

/** Adds to an error what the file looks like, and the parameters with which it can be read. */
export function explainRefusal(
  error: FileError,
  blocks: readonly Uint8Array[],
  parameters: Parameters,
): FileError {
  if (!error.isMendable) return error;
  try {
    return new FileError([error.message, ...findRemedy(blocks, parameters)].join(' '));
  } catch (other) {
    // A file that no parameters make readable needs that said, not the missing column.
    if (other instanceof FileError) return other;
    throw other;
  }
}

function findRemedy(blocks: readonly Uint8Array[], sent: Parameters): string[] {
  const { start, given } = lookAt(blocks, sent);
  const { parameters, why, doubts } = suggest(start, given);
  const parts = [
    start.headerLine === 0 ? 'The file has no header.' : '',
    start.headerLine > 0 && !start.isFirst ? `Line ${start.headerLine} looks like the header.` : '',
    ...doubts.map(({ detail }) => detail),
    parameters ? `${why} Add ?${writeQuery(parameters)} to the address.` : '',
    'To see how a file would be read, post it to …/results/file/preview.',
  ];
  return parts.filter((part) => part !== '');
}
