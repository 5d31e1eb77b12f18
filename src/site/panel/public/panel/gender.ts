import { text } from './formats.ts';

/** A gender within a sentence: `women` for `F`. An unknown gender stays as registered. */
export function genderWord(gender: string): string {
  const known = (['F', 'M', 'X'] as const).find((one) => one === gender);
  return known ? text(`gender.${known}`) : gender;
}

/** A gender as a title: `Women` for `F`. */
export function genderName(gender: string): string {
  const [first = '', ...rest] = genderWord(gender);
  return first.toLocaleUpperCase() + rest.join('');
}
