import { type ComponentChild, render } from 'preact';
import { useEffect } from 'preact/hooks';

/** Sheets of paper stand beside the page, so that the sheets print alone. */
const sheets = document.createElement('div');
sheets.id = 'sheets';
sheets.hidden = true;
document.body.append(sheets);
addEventListener('afterprint', () => document.body.classList.remove('prints-sheets'));

/** Prints sheets, an article a sheet. The component that prints calls `useSheets`. */
export function printSheets(articles: ComponentChild) {
  render(articles, sheets);
  document.body.classList.add('prints-sheets');
  print();
}

/** Clears the sheets when the component goes. */
export const useSheets = () => useEffect(() => () => render(null, sheets), []);
