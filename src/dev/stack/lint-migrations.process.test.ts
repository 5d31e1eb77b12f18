import { expect, test } from 'vitest';
import { lintMigration, namedTooEarly } from './lint-migrations.ts';

const OUTSIDE = '-- runs outside a transaction\n';

/** Statements, each with the rule against the statement. */
const REFUSED: [string, string][] = [
  ['create index by_batch on results (batch_id);', 'require-concurrent-index-creation'],
  [
    'alter table results add constraint of_batch foreign key (batch_id) references result_batches (id);',
    'adding-foreign-key-constraint',
  ],
  [
    'alter table results add constraint timed check (gun_time_ms > 0);',
    'constraint-missing-not-valid',
  ],
  ['alter table results alter column chip_time_ms type int;', 'changing-column-type'],
  [
    'alter table results add column id uuid default gen_random_uuid();',
    'adding-field-with-default',
  ],
  ['alter table results drop column splits;', 'ban-drop-column'],
  ['-- unused\nalter table results drop column splits;', 'ban-drop-column'],
  ['drop table replaced_results;', 'ban-drop-table'],
  ['alter table results rename column splits to laps;', 'renaming-column'],
  ['alter table results rename to finishes;', 'renaming-table'],
  ['create tabel notes (id int);', 'syntax-error'],
  ['alter table "public"."events" add column altitude int;', 'other systems write this table'],
  ['alter table events add column if not exists altitude int;', 'other systems write this table'],
  [
    '-- agreed with the owner of the table\nalter table events add column if not exists altitude int;',
    'other systems write this table',
  ],
  ['alter table events drop column city;', 'other systems write this table'],
  ['select 1;\nupdate registrations set chip = null;', 'other systems write this table'],
  [
    `${OUTSIDE}create index concurrently by_city on events (city);`,
    'other systems write this table',
  ],
  [
    'create trigger t after insert on registrations execute function f();',
    'other systems write this table',
  ],
];

const ACCEPTED = [
  `${OUTSIDE}drop index concurrently if exists by_batch;
  --> statement-breakpoint
  create index concurrently by_batch on results (batch_id);`,
  `create table notes (id uuid primary key, registration_id uuid not null
    references registrations (id) on delete cascade);
  create index notes_of_registration on notes (registration_id);
  grant select, insert on notes to race_results_api;`,
  'alter table results add constraint timed check (gun_time_ms > 0) not valid;',
  'alter table results validate constraint timed;',
  `alter table results add column seen_at timestamptz default now();`,
  '-- unused since 0.4.0\nalter table results drop column splits;',
  `create table event_altitudes (event_id uuid primary key references events (id) on delete cascade, altitude int);
  grant select on event_altitudes to race_results_api;`,
  'grant select on events to race_results_api;',
  'create view open_events as select * from events;',
];

test('refuses what would stop a live database, break the deployed version, or change the tables of others', () => {
  const found = REFUSED.map(([text]) => lintMigration({ name: '0001_step', text }).join('\n'));
  const missed = REFUSED.filter(([, rule], at) => !found[at]?.includes(rule));
  expect(missed).toEqual([]);
});

test('accepts the same changes made in steps', () => {
  const found = ACCEPTED.flatMap((text) => lintMigration({ name: '0001_step', text }));
  expect(found).toEqual([]);
});

test('names a migration that would run before an older one', () => {
  expect(namedTooEarly(['0000_baseline', '0001_step', '0004_index'])).toEqual([]);
  expect(namedTooEarly(['0000_baseline', '0004_index', '0002_step'])).toEqual([
    expect.stringMatching(/^0002_step is newer than 0004_index.*the number 0005\.$/),
  ]);
});
