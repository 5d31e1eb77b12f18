import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WARNING_CODES } from '../../timing-files/judge/warning-codes.ts';
import { REASON_CODES } from '../../timing-files/read/reason-codes.ts';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import { TIME_FORMATS } from '../../timing-files/read/time-formats.ts';

test.each(['en', 'es'])('says every code of the API in its own words (%s)', (language) => {
  const folder = join(import.meta.dirname, 'public/panel');
  const files = globSync(`**/${language}.json`, { cwd: folder });
  const said = new Set(
    files.flatMap((file) => Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')))),
  );
  const names = [
    ...REASON_CODES.map((code) => `reason.${code}`),
    ...WARNING_CODES.map((code) => `warning.${code}`),
    ...Object.keys(TIME_FORMATS).map((format) => `format.${format}`),
    ...RESULT_STATUSES.map((status) => `status.${status}`),
  ];
  expect(names.filter((name) => !said.has(name))).toEqual([]);
});
