import { publicName } from '../../../timing-files/read/public-name.ts';
import { invalid } from '../../errors.ts';
import { readFileField } from './multipart.ts';

const FORM = 'multipart/form-data';

/** A workbook (.xlsx). */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file is the field of a form, or the whole body. */
export const FILE_MEDIA_TYPES = [FORM, 'text/csv', WORKBOOK_TYPE] as const;

/**
 * The bytes of the file as the body arrives (uploadEventResultsFile).
 * @param contentType a value of FILE_MEDIA_TYPES
 * @param onName receives the name of the file, if any
 * @throws ApiError VALIDATION_ERROR for an incomplete form, a form without a single field `file`, or a bad file name
 */
export const readFileBytes = (
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  onName: (name: string | null) => void = () => {},
): AsyncIterable<Uint8Array> =>
  contentType.trim().toLowerCase().startsWith(FORM)
    ? readFileField(body, contentType, (name) => onName(storableFileName(name)))
    : body;

const FILE_NAME_MAX = 200;

/**
 * The name without folders, cut to the maximal length. Null for a blank name.
 * @throws ApiError VALIDATION_ERROR for signs that change how the name is shown
 */
export function storableFileName(sent: string): string | null {
  const cut = sent
    .replace(/^.*[\\/]/, '')
    .slice(0, FILE_NAME_MAX)
    .replace(/\p{Cs}/gu, '');
  const { fault, name } = publicName(cut, FILE_NAME_MAX);
  if (fault !== undefined)
    throw invalid('invalid_input', `The name of the file cannot be kept: ${fault}.`);
  return name || null;
}
