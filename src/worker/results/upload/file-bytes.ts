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
 * @throws ApiError VALIDATION_ERROR for a form that is incomplete or has not one field `file`
 */
export const readFileBytes = (
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  onName: (name: string) => void = () => {},
): AsyncIterable<Uint8Array> =>
  contentType.trim().toLowerCase().startsWith(FORM)
    ? readFileField(body, contentType, onName)
    : body;

const FILE_NAME_MAX = 200;

/** The name without its folders and without characters that do not print, such as half an emoji. */
export const storableFileName = (name: string): string | null =>
  name
    .replace(/^.*[\\/]/, '')
    .slice(0, FILE_NAME_MAX)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim() || null;
