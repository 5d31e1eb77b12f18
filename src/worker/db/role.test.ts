import { neon } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createRace, db } from '../../testing/factories.ts';
import { testConfig } from '../../testing/harness.ts';

const asWorker = neon(testConfig.DATABASE_URL);

/** All rights of the Worker's role. `(…)` are columns. */
const RIGHTS: Record<string, string> = {
  api_key_events: 'SELECT INSERT',
  api_keys: 'SELECT INSERT UPDATE(name,key_prefix,key_hash,last_used_at,revoked_at)',
  board_hidden_names: 'SELECT INSERT DELETE',
  event_changes: 'SELECT INSERT',
  event_points: 'SELECT INSERT UPDATE DELETE',
  event_settings: 'SELECT INSERT UPDATE',
  event_starts: 'SELECT INSERT UPDATE DELETE',
  events: 'SELECT UPDATE(id)',
  known_results: 'SELECT INSERT UPDATE',
  official_results: 'SELECT INSERT',
  organization_members: 'SELECT',
  organizations: 'SELECT',
  passing_uploads: 'SELECT INSERT',
  passings: 'SELECT INSERT UPDATE DELETE',
  persons: '',
  // `for key share` is refused to a role without the right to update a column.
  registrations: 'SELECT UPDATE(id)',
  replaced_passings: 'SELECT INSERT',
  replaced_results: 'SELECT INSERT',
  result_batches: 'SELECT INSERT',
  results: 'SELECT INSERT UPDATE DELETE',
  standings: 'SELECT',
  withdrawn_passings: 'SELECT INSERT DELETE',
  withdrawn_results: 'SELECT INSERT DELETE',
};

test('grants the Worker what its statements need, and nothing else', async () => {
  const { rows } = await db.execute<{ relation: string; rights: string }>(sql`
    select relname::text as relation, concat_ws(' ',
      (
        select string_agg(privilege, ' ' order by place)
        from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
          with ordinality as known (privilege, place)
        where has_table_privilege('race_results_api', pg_class.oid, privilege)
      ),
      (
        select format('%s(%s)', privilege_type, string_agg(attname, ',' order by attnum))
        from pg_attribute, aclexplode(attacl)
        where attrelid = pg_class.oid and grantee = 'race_results_api'::regrole
        group by privilege_type
      )) as rights
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`);
  expect(Object.fromEntries(rows.map(({ relation, rights }) => [relation, rights]))).toEqual(
    RIGHTS,
  );
});

test('connects the Worker as its role, which others refuse what it may not do', async () => {
  const { eventId, organizationId } = await createRace({ bibs: ['1'] });
  const refused = [
    'select * from persons',
    'delete from race_results.applied_migrations',
    `update registrations set bib_number = '2' where event_id = '${eventId}'`,
    `update registrations set status = 'CANCELLED' where event_id = '${eventId}'`,
    `delete from registrations where event_id = '${eventId}'`,
    `update events set name = 'Other' where id = '${eventId}'`,
    `delete from events where id = '${eventId}'`,
    `delete from organizations where id = '${organizationId}'`,
    `update organization_members set role = 'owner'`,
    `insert into organization_members values ('${organizationId}', 'intruder', 'owner')`,
    `update api_keys set scopes = array['results:write'] where organization_id = '${organizationId}'`,
    `update api_keys set organization_id = '${organizationId}'`,
    `delete from api_keys where organization_id = '${organizationId}'`,
    'delete from api_key_events',
    'update result_batches set errors = 0',
    'delete from result_batches',
    'delete from replaced_results',
    'delete from event_changes',
    'truncate results',
    'alter table results add column note text',
    'drop table results',
    'create table public.note (id int)',
    'create trigger t before insert on registrations execute function refuse_change_of_history()',
    'alter role race_results_api superuser',
  ];
  const codes = await Promise.all(
    refused.map((statement) =>
      asWorker.query(statement).then(
        () => `${statement}: allowed`,
        (error: { code?: string }) => (error.code === '42501' ? [] : `${statement}: ${error.code}`),
      ),
    ),
  );
  expect(codes.flat()).toEqual([]);
});
