import { expect, inject, test } from 'vitest';
import type { ResultsFile } from '../../testing/results-files.ts';
import { bibTable, faultOf, variantsOf } from '../../testing/results-variants.ts';

const FILES: ResultsFile[] = JSON.parse(inject('resultsFiles'));

test.each(FILES)(
  'takes the column of bibs in every variant of $name',
  async (file) => {
    const table = await bibTable(file);
    const faults: string[] = [];
    for (const variant of table ? variantsOf(table) : []) {
      const fault = await faultOf(variant);
      if (fault) faults.push(fault);
    }
    expect(faults).toEqual([]);
  },
  600_000,
);
