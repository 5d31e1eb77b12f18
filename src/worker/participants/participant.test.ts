import fc from 'fast-check';
import { test } from 'vitest';
import { maskDocument } from './participant.ts';

test('shows at most 4 characters and at most half of a document', () => {
  const documents = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9A-Z-]{1,20}$/));
  fc.assert(
    fc.property(documents, (document) => {
      const characters = [...document];
      const shown = Math.min(4, Math.floor(characters.length / 2));
      const hidden = characters.length - shown;
      return maskDocument(document) === '*'.repeat(hidden) + characters.slice(hidden).join('');
    }),
    { numRuns: 500 },
  );
});
