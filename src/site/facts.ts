import { POINT_LENGTH_MAX } from '../timing-files/read/parameters.ts';
import {
  LISTED_STATUSES,
  RESULT_STATUSES,
  STATUS_RULES,
  statusesWhere,
} from '../timing-files/read/result-status.ts';
import { LIVE_KEYS_MAX } from '../worker/api-keys/queries.ts';
import { PACE } from '../worker/gate/pace.ts';
import { PATIENCE_MS } from '../worker/gate/turns.ts';
import { PANEL_BODY_MAX } from '../worker/http/json-body.ts';
import {
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_NAMES_MAX,
  JSON_ROW_MAX,
  JSON_VALUES_MAX,
} from '../worker/http/json-text.ts';
import { REQUEST_ID_MAX } from '../worker/http/middleware.ts';
import { QUEUE_MAX } from '../worker/http/turn.ts';
import {
  REQUESTS_PER_ORGANIZATION,
  REQUESTS_PER_SESSION,
  REQUESTS_PER_WINDOW,
} from '../worker/rate-limit/rate-limiter.ts';
import { LIVE_ROWS_MAX } from '../worker/results/upload/formats.ts';
import {
  CSV_BODY_MAX,
  JSON_BODY_MAX,
  ROWS_PER_CSV_UPLOAD,
  ROWS_PER_JSON_UPLOAD,
} from '../worker/results/upload/schemas.ts';
import { exportTable } from './docs/export-table.ts';
import {
  bibFormatTable,
  parameterTable,
  reasonTable,
  timeFormatTable,
  warningTable,
} from './docs/file-tables.ts';
import { rankingTable } from './docs/ranking-table.ts';
import { scopeTable } from './docs/scope-table.ts';
import { errorTable } from './error-codes.ts';
import type { Facts } from './fill.ts';
import { OPERATIONS } from './openapi/operations.ts';

/** 5000, 100 000 */
const count = (value: number): string =>
  value < 10_000 ? String(value) : value.toLocaleString('en').replaceAll(',', '\u202f');

const kibibytes = (bytes: number): string => `${bytes / 1_024} KiB`;
const mebibytes = (bytes: number): string => `${bytes / 1_024 / 1_024} MiB`;

/** Words of code as a list in a sentence. */
const list = (values: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(values.map((value) => `\`${value}\``));

/** The facts of the guides, taken from the code. */
export const FACTS: Facts = {
  'error-codes': errorTable(),
  scopes: scopeTable(),
  'timing-exports': exportTable(),
  'file-parameters': parameterTable(),
  'bib-formats': bibFormatTable(),
  'time-formats': timeFormatTable(),
  'file-warnings': warningTable(),
  'reason-codes': reasonTable(),
  'ranking-rules': rankingTable('en'),
  'ranking-rules-es': rankingTable('es'),
  'result-statuses': list(RESULT_STATUSES),
  'untimed-statuses': list(statusesWhere(({ keepsTimes }) => !keepsTimes)),
  'unplaced-statuses': list(LISTED_STATUSES.filter((status) => !STATUS_RULES[status].hasPosition)),
  'rows-per-json-upload': count(ROWS_PER_JSON_UPLOAD),
  'rows-per-csv-upload': count(ROWS_PER_CSV_UPLOAD),
  'json-body-max': mebibytes(JSON_BODY_MAX),
  'csv-body-max': mebibytes(CSV_BODY_MAX),
  'panel-body-max': kibibytes(PANEL_BODY_MAX),
  'request-id-max': count(REQUEST_ID_MAX),
  'json-depth-max': count(JSON_DEPTH_MAX),
  'json-names-max': count(JSON_NAMES_MAX),
  'json-members-max': count(JSON_MEMBERS_MAX),
  'json-values-max': count(JSON_VALUES_MAX),
  'json-row-max': kibibytes(JSON_ROW_MAX),
  'body-grace': count(PACE.graceMs / 1_000),
  'body-pace': count(PACE.bytesPerSecond / 1_024),
  'heavy-operations': OPERATIONS.filter(({ weight }) => weight !== 'light')
    .map(({ id }) => `\`${id}\``)
    .join(', '),
  'point-max': count(POINT_LENGTH_MAX),
  'live-rows': count(LIVE_ROWS_MAX),
  'turn-patience': count(PATIENCE_MS / 1_000),
  'turn-queue': count(QUEUE_MAX),
  'live-keys': count(LIVE_KEYS_MAX),
  'requests-per-session': count(REQUESTS_PER_SESSION),
  'requests-per-organization': count(REQUESTS_PER_ORGANIZATION),
  'requests-per-minute': count(REQUESTS_PER_WINDOW),
};
