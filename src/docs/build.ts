import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUESTS_PER_WINDOW } from '../rate-limit/rate-limiter.ts';
import {
  CSV_BODY_MAX,
  JSON_BODY_MAX,
  ROWS_PER_CSV_UPLOAD,
  ROWS_PER_JSON_UPLOAD,
} from '../results/schemas.ts';
import { type Facts, guidePage } from './guide.ts';
import { GUIDES } from './page.ts';
import { copyScalar, referencePage } from './reference.ts';
import { errorTable, exportTable } from './tables.ts';

/** 5000, 100 000 */
const count = (value: number): string =>
  value < 10_000 ? String(value) : value.toLocaleString('en').replaceAll(',', '\u202f');

const mebibytes = (bytes: number): string => `${bytes / 1_024 / 1_024} MiB`;

/** What the guides say and the code decides. */
export const FACTS: Facts = {
  'error-codes': errorTable(),
  'timing-exports': exportTable(),
  'rows-per-json-upload': count(ROWS_PER_JSON_UPLOAD),
  'rows-per-csv-upload': count(ROWS_PER_CSV_UPLOAD),
  'json-body-max': mebibytes(JSON_BODY_MAX),
  'csv-body-max': mebibytes(CSV_BODY_MAX),
  'requests-per-minute': count(REQUESTS_PER_WINDOW),
};

/** Puts the reference and the guides into the folder that the Worker serves. */
export function buildDocs(site: string): void {
  const folder = join(site, 'docs');
  mkdirSync(folder, { recursive: true });
  for (const { slug } of GUIDES) {
    const markdown = readFileSync(join(import.meta.dirname, `guides/${slug}.md`), 'utf8');
    writeFileSync(join(folder, `${slug}.html`), guidePage(slug, markdown, FACTS));
  }
  writeFileSync(join(folder, 'index.html'), referencePage());
  copyScalar(site);
}
