import { SCOPES, type Scope } from '../../worker/scopes.ts';
import { markdownTable } from '../markdown-table.ts';
import { OPERATIONS } from '../openapi/operations.ts';

const ALLOWS: Record<Scope, string> = {
  'events:read': 'Read events and results.',
  'participants:read': 'List participants and look them up, with their personal data.',
  'inscriptions:read':
    'Read the start list: bibs, chips and names, without documents and contacts.',
  'stats:read': 'Read the statistics of an event.',
  'payments:read': 'Reserved.',
  'results:write': 'Upload results. It is the only scope that writes.',
};

/** The table of the scopes, each with its operations. */
export const scopeTable = (): string =>
  markdownTable(
    ['Scope', 'Allows', 'Operations'],
    SCOPES.map((scope) => {
      const operations = OPERATIONS.filter((operation) => operation.scope === scope);
      const ids = operations.map(({ id }) => `\`${id}\``).join(', ');
      return [`\`${scope}\``, ALLOWS[scope], ids || 'No operation needs it yet.'];
    }),
  );
