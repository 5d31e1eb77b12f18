/** The event that `npm run smoke` uploads to. It belongs to an organization of its own. */
export const TEST_EVENT = 'Smoke test';

export const TEST_RUNNER = { bib_number: '1', given_names: 'Test' };
