import { describe, expect, inject, test } from 'vitest';
import { judgeFile, previewBlocks, textIn } from '../../testing/results-judge.ts';

const FILES = inject('resultsFiles');

describe('the suggestion for a file', () => {
  test.each(FILES)('loads $source as a person reads it, or asks', async (file) => {
    const { query, offered, warnings, ...verdict } = await judgeFile(file);
    expect({ ...verdict, offered }).toMatchObject({
      isSilent: false,
      isAskedAgain: false,
      stored: file.suggestion === null ? 'asked, right' : 'right',
    });
    expect(warnings).toEqual(expect.arrayContaining([...(file.warnings ?? [])]));
    if (file.suggestion !== null) expect(query).toBe(file.suggestion);
    else if (Object.keys(file.results).length > 0) expect(offered).not.toEqual([]);
  });

  test.each(FILES)('stays the same for $source if it is sent as parameters', async (file) => {
    const blocks = await textIn(file);
    const { suggestion } = await previewBlocks(blocks);
    if (!suggestion) return;
    const again = await previewBlocks(blocks, suggestion.query);
    expect(again.suggestion?.query).toBe(suggestion.query);
    const { total = 0, errors = 1 } = again.shown ?? {};
    expect(errors).toBeLessThanOrEqual(total / 2);
  });
});
