import { describe, expect, inject, test } from 'vitest';
import { withoutPauses } from '../../testing/no-pauses.ts';
import type { ResultsFile } from '../../testing/results-files.ts';
import { judgeFile } from '../../testing/results-judge.ts';

withoutPauses();

const FILES: ResultsFile[] = JSON.parse(inject('resultsFiles'));

describe('the suggestion for a file', () => {
  test.each(FILES)('loads $source as a person reads it, or asks', async (file) => {
    const { query, offered, warnings, ...verdict } = await judgeFile(file);
    expect({ ...verdict, offered }).toMatchObject({
      isSilent: false,
      isAskedAgain: false,
      stored: file.suggestion === null ? 'asked, right' : 'right',
    });
    const answers = offered.map(({ why }) => why);
    expect(answers).toEqual([...new Set(answers)].filter((why) => why !== ''));
    expect(warnings).toEqual(expect.arrayContaining([...(file.warnings ?? [])]));
    if (file.suggestion !== null) expect(query).toBe(file.suggestion);
    else if (Object.keys(file.results).length > 0) expect(offered).not.toEqual([]);
    // Sent as parameters, the suggestion stays, and most rows load.
    const { again } = verdict;
    if (!again) return;
    expect(decodeURIComponent(again.suggestion?.query ?? '')).toBe(query);
    const { total = 0, errors = 1 } = again.shown ?? {};
    expect(errors).toBeLessThanOrEqual(total / 2);
  });
});
