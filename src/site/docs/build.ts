import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY_BODY_MAX } from '../../worker/api-keys/schemas.ts';
import { PACE } from '../../worker/http/body.ts';
import { JSON_DEPTH_MAX, JSON_MEMBERS_MAX, JSON_VALUES_MAX } from '../../worker/http/json-text.ts';
import { REQUESTS_PER_WINDOW } from '../../worker/rate-limit/rate-limiter.ts';
import {
  CSV_BODY_MAX,
  JSON_BODY_MAX,
  ROWS_PER_CSV_UPLOAD,
  ROWS_PER_JSON_UPLOAD,
} from '../../worker/results/upload/schemas.ts';
import { errorTable } from '../error-codes.ts';
import type { Assets } from '../pages.ts';
import { consolePage, copyScalar } from './console.ts';
import { exportTable } from './export-table.ts';
import { parameterTable, reasonTable, timeFormatTable, warningTable } from './file-tables.ts';
import { type Facts, guidePage, readGuide, withSamples } from './guide.ts';
import { llmsText } from './llms.ts';
import { GUIDES, STYLE_SHEET } from './page.ts';
import { referencePages } from './reference.ts';
import { scopeTable } from './scope-table.ts';
import { searchIndex } from './search-index.ts';
import { startPage } from './start.ts';

/** 5000, 100 000 */
const count = (value: number): string =>
  value < 10_000 ? String(value) : value.toLocaleString('en').replaceAll(',', '\u202f');

const kibibytes = (bytes: number): string => `${bytes / 1_024} KiB`;
const mebibytes = (bytes: number): string => `${bytes / 1_024 / 1_024} MiB`;

/** The facts of the guides, taken from the code. */
export const FACTS: Facts = {
  'error-codes': errorTable(),
  scopes: scopeTable(),
  'timing-exports': exportTable(),
  'file-parameters': parameterTable(),
  'time-formats': timeFormatTable(),
  'file-warnings': warningTable(),
  'reason-codes': reasonTable(),
  'rows-per-json-upload': count(ROWS_PER_JSON_UPLOAD),
  'rows-per-csv-upload': count(ROWS_PER_CSV_UPLOAD),
  'json-body-max': mebibytes(JSON_BODY_MAX),
  'csv-body-max': mebibytes(CSV_BODY_MAX),
  'panel-body-max': kibibytes(API_KEY_BODY_MAX),
  'json-depth-max': count(JSON_DEPTH_MAX),
  'json-members-max': count(JSON_MEMBERS_MAX),
  'json-values-max': count(JSON_VALUES_MAX),
  'body-grace': count(PACE.graceMs / 1_000),
  'body-pace': count(PACE.bytesPerSecond / 1_024),
  'requests-per-minute': count(REQUESTS_PER_WINDOW),
};

/** Writes the documentation into the folder that the Worker serves, beside the files of `public`. */
export function buildDocs(site: string, assets: Assets): void {
  const folder = join(site, 'docs');
  mkdirSync(join(folder, 'reference'), { recursive: true });
  const guides = GUIDES.map(({ slug }) => {
    const markdown = readFileSync(join(import.meta.dirname, `guides/${slug}.md`), 'utf8');
    return readGuide(slug, markdown, FACTS);
  });
  const reference = referencePages();
  for (const page of [...guides, ...reference]) {
    writeFileSync(join(folder, `${page.slug}.html`), guidePage(page));
  }
  for (const { slug, markdown } of guides) {
    writeFileSync(join(folder, `${slug}.md`), withSamples(markdown));
  }
  const whole = reference.map(({ markdown }) => withSamples(markdown)).join('\n\n');
  writeFileSync(join(folder, 'reference.md'), whole);
  writeFileSync(join(folder, 'search.json'), searchIndex([...guides, ...reference]));
  writeFileSync(join(folder, 'console.html'), consolePage());
  writeFileSync(join(site, 'llms.txt'), llmsText(guides));
  const styles = readFileSync(join(site, assets.get(`/${STYLE_SHEET}`) ?? ''), 'utf8');
  writeFileSync(join(folder, 'index.html'), startPage(guides, styles));
  allowStartStyles(join(site, '_headers'), styles);
  copyScalar(site);
}

/** The policy of the start page allows its own styles by their digest. */
function allowStartStyles(headers: string, styles: string): void {
  const digest = createHash('sha256').update(styles).digest('base64');
  const policies = readFileSync(headers, 'utf8');
  writeFileSync(headers, policies.replace('{{start-styles}}', digest));
}
