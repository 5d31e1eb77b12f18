import { type Guide, type Section, sectionsOf } from './guide.ts';

/** The index that the search of the pages reads: `[href, guide, heading, text]` for each part of each guide. */
export const searchIndex = (guides: readonly Guide[]): string =>
  JSON.stringify(guides.flatMap(sectionsOf).map(toEntry));

const toEntry = ({ href, guide, title, text }: Section) => [href, guide, title, text];
