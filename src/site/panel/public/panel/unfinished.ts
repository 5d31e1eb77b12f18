import { inTab } from '../shared/storage.ts';

const KEPT = 'unfinished';

/** Fields that are searched in or typed into, and are the same for each race. */
const FIELDS = ['#runner-search', '#events [type=search]', '#key-search', '#hide-bib', '#point'];
const KEY_FORM = '#key-form :is(input, select)';

/** A runner whose details are open, and what is typed there. */
export type OpenRunner = { id: string; bib: string; typed: Readonly<Record<string, string>> };

/** What a reader was working on when the session ended. */
export type Unfinished = {
  organization: string;
  userId: string;
  /** The query of the address. */
  address: string;
  /** By their selectors. */
  fields: Record<string, string>;
  /** The values of the form of a key, in its order. */
  keyForm: (string | boolean)[];
  runners: readonly OpenRunner[];
};

const field = (selector: string) => document.querySelector<HTMLInputElement>(selector);

const isTicked = ({ type }: HTMLInputElement) => type === 'checkbox' || type === 'radio';

const keyFields = () => [...document.querySelectorAll<HTMLInputElement>(KEY_FORM)];

/** Reads what is typed. */
export const readUnfinished = (
  of: Pick<Unfinished, 'organization' | 'userId' | 'runners'>,
): Unfinished => ({
  ...of,
  address: location.search,
  fields: Object.fromEntries(FIELDS.map((selector) => [selector, field(selector)?.value ?? ''])),
  keyForm: keyFields().map((one) => (isTicked(one) ? one.checked : one.value)),
});

/** Keeps it for this tab. */
export const keepUnfinished = (work: Unfinished) =>
  inTab((tab) => tab.setItem(KEPT, JSON.stringify(work)));

export const forgetUnfinished = () => inTab((tab) => tab.removeItem(KEPT));

/** Takes what this user of this organization was working on. What another one was is forgotten. */
export function takeUnfinished(organization: string, userId: string): Unfinished | undefined {
  const kept: Unfinished | null = JSON.parse(inTab((tab) => tab.getItem(KEPT)) ?? 'null');
  forgetUnfinished();
  return kept?.organization === organization && kept.userId === userId ? kept : undefined;
}

/** Writes it into the fields again. */
export function writeUnfinished({ fields, keyForm }: Unfinished) {
  for (const [selector, value] of Object.entries(fields)) {
    const place = field(selector);
    if (!place || value === '') continue;
    place.value = value;
    place.dispatchEvent(new Event('input', { bubbles: true }));
  }
  for (const [at, place] of keyFields().entries()) {
    const value = keyForm[at];
    if (typeof value === 'boolean') place.checked = value;
    else if (value) place.value = value;
  }
}
