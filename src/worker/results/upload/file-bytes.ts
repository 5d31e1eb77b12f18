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
 * @param contentType of one of FILE_MEDIA_TYPES
 * @param onName receives the name of the file, if the body has one
 * @throws ApiError VALIDATION_ERROR for a form that is incomplete, has not one field `file`, or names it badly
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
 * The name without its folders, cut to its length. Null if it is blank.
 * @throws ApiError VALIDATION_ERROR if it has signs that change how it is shown
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
