import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { arrayOf, quoted } from '../results/batch.ts';
import { readJsonBatch } from '../results/json-rows.ts';
import { parseRaceTime } from '../results/race-time.ts';
import { rowsOf, splitsOf } from '../results/store.ts';
import { raceRow } from './files.ts';
import { formatMs, markdownTable, measureInTurns, medianOf, type Report } from './measure.ts';
import { startServers } from './race.ts';
import { toStatement, transaction } from './statements.ts';

const ROWS = 5_000;
const TURNS = { warmUps: 3, samples: 31 };

/** A query that reads every row, and every value of it. */
type Encoding = { name: string; query: SQL };

/** What it takes Postgres to read the rows of an upload, in each of the forms they could travel in. */
export async function benchEncodings(): Promise<Report> {
  const dialect = new PgDialect();
  const statements = encodings().map(({ name, query }) => ({
    name,
    ...toStatement({ getQuery: () => dialect.sqlToQuery(query) }),
  }));
  const servers = await startServers();
  try {
    const client = await servers.pool.connect();
    const medians = await measureInTurns(
      statements.map(({ name, ...statement }) => ({
        name,
        run: () => transaction(client, [statement]),
      })),
      TURNS,
    );
    client.release();
    return {
      lines: [],
      notes: [
        markdownTable(
          [`${ROWS} rows with 3 splits, read by Postgres`, 'median', 'bytes of parameters a row'],
          statements.map(({ name, values }) => [
            name,
            formatMs(medianOf(medians, name)),
            (Buffer.byteLength(JSON.stringify(values)) / ROWS).toFixed(0),
          ]),
        ),
        'Encodings: a transaction that reads the rows out of its parameters, splits as `jsonb`, and ' +
          `counts them; medians of ${TURNS.samples}, in turns. Bytes are those of the parameters as ` +
          'JSON, which is how they travel. The last is how the API sends them: the names of splits ' +
          'once, and of each row the times alone.',
      ],
    };
  } finally {
    await servers.stop();
  }
}

function encodings(): Encoding[] {
  const sent = Array.from({ length: ROWS }, (_, index) => raceRow(index + 1));
  const batch = readJsonBatch(JSON.stringify({ results: sent }));
  const { bibs, statuses, chipTimesMs, gunTimesMs } = batch.loadable;
  const rows = sent.map(({ bib_number, chip_time, gun_time, splits }) => ({
    bib_number,
    status: 'FINISHED',
    chip_time_ms: parseRaceTime(chip_time),
    gun_time_ms: parseRaceTime(gun_time),
    splits: Object.fromEntries(
      Object.entries(splits).map(([name, time]) => [name, parseRaceTime(time)]),
    ),
  }));
  const objects = arrayOf(rows.map(({ splits }) => quoted(JSON.stringify(splits))));
  const scalars = sql`${bibs}::text[], ${statuses}::text[], ${chipTimesMs}::bigint[],
    ${gunTimesMs}::bigint[]`;
  const names = sql.raw('row (bib_number, status, chip_time_ms, gun_time_ms, splits)');
  const record = sql.raw(
    'row (bib_number text, status text, chip_time_ms bigint, gun_time_ms bigint, splits jsonb)',
  );
  const read = (from: SQL, splits = sql.raw('splits')) => sql`
    select count(bib_number), count(row.status), count(chip_time_ms), count(gun_time_ms),
      count(${splits})
    from ${from}`;
  return [
    {
      name: '`json_to_recordset`, one document',
      query: read(sql`json_to_recordset(${JSON.stringify(rows)}::json) as ${record}`),
    },
    {
      name: '`jsonb_to_recordset`, one document',
      query: read(sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${record}`),
    },
    {
      name: '`unnest` of arrays, splits `jsonb[]`',
      query: read(sql`unnest(${scalars}, ${objects}::jsonb[]) as ${names}`),
    },
    {
      name: '`unnest` of arrays, splits `text[]` cast to `jsonb`',
      query: read(sql`unnest(${scalars}, ${objects}::text[]) as ${names}`, sql`splits::jsonb`),
    },
    {
      name: '`unnest` of arrays, splits one document of `jsonb_array_elements`',
      query: read(sql`rows from (
        unnest(${scalars}),
        jsonb_array_elements(${JSON.stringify(rows.map(({ splits }) => splits))}::jsonb)
      ) as ${names}`),
    },
    {
      name: '`unnest` of arrays, no splits',
      query: read(
        sql`unnest(${scalars}) as row (bib_number, status, chip_time_ms, gun_time_ms)`,
        sql`1`,
      ),
    },
    {
      name: '`unnest` of arrays, splits put together from times',
      query: read(rowsOf(batch), splitsOf(batch)),
    },
  ];
}
