export const markdownTable = (
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
