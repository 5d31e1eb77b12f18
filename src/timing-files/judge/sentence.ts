/** A sentence. With `one`, the value `count` chooses the text. */
export type Sentence = string | { readonly one: string; readonly other: string };

/** The values of a warning, by name. A list has names or cells of the file. */
export type WarningValues = Record<string, string | number | string[]>;

/** A sentence with its values. @param quote puts a cell or a name of the file in quotes */
export function sentenceOf(
  sentence: Sentence,
  values: WarningValues,
  quote: (text: string) => string,
): string {
  const text =
    typeof sentence === 'string' ? sentence : sentence[values['count'] === 1 ? 'one' : 'other'];
  const [start = '', ...parts] = text.split('{');
  const rest = parts.map((part) => {
    const end = part.indexOf('}');
    const name = part.slice(0, end);
    const isQuoted = name.startsWith('"');
    const value = values[isQuoted ? name.slice(1, -1) : name] ?? '';
    const shown = [value].flat().map((one) => (isQuoted ? quote(String(one)) : String(one)));
    return shown.join(', ') + part.slice(end + 1);
  });
  return start + rest.join('');
}
