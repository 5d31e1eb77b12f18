import { neon } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createRace, db } from '../../../testing/factories.ts';
import { request, testConfig, withKey } from '../../../testing/harness.ts';
import { panelOf } from '../../../testing/members.ts';
import { answered, postJson, type Race, uploadRows } from '../../../testing/uploads.ts';
import type { LogLine } from '../../log.ts';
import type { PassingsUploadOut } from '../../passings/answer-schemas.ts';
import { buildServices } from '../../services.ts';
import { pruneHistory } from './prune.ts';

/** Concurrent tests share the database: none has rows of this age. */
const KEEP_HISTORY_DAYS = 3_000;
const OLD = '2001-01-01';

/** Prunes like the Worker, with its role, and returns the logged lines. */
async function prune(keepHistoryDays: number | undefined = KEEP_HISTORY_DAYS, stepsMax?: number) {
  const logged: LogLine[] = [];
  const log = { info: (line: LogLine) => void logged.push(line), error: () => {} };
  await pruneHistory({ ...buildServices(testConfig), log, keepHistoryDays }, stepsMax);
  return logged;
}

const countOf = async (from: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count ${from}`);
  return rows[0]?.count ?? 0;
};
const batchesOf = ({ eventId }: Race) =>
  countOf(sql`from result_batches where event_id = ${eventId}`);
const historyOf = ({ eventId }: Race) =>
  countOf(sql`from replaced_results join registrations on registrations.id = registration_id
    where registrations.event_id = ${eventId}`);

const upload = (race: Race, chip_time: string) =>
  uploadRows(race, [{ bib_number: '1', chip_time }]);
const makeOld = ({ eventId }: Race, batchId?: string) =>
  db.execute(sql`update result_batches set received_at = ${OLD}
    where event_id = ${eventId} and ${batchId === undefined ? sql`true` : sql`id = ${batchId}`}`);

test('deletes old uploads and what they replaced, and keeps young ones and every result', async () => {
  const race = await createRace({ bibs: ['1'] });
  await upload(race, '00:40:00');
  await upload(race, '00:39:00');
  await makeOld(race);
  await upload(race, '00:38:00');
  expect([await batchesOf(race), await historyOf(race)]).toEqual([3, 2]);

  expect(await prune()).toEqual([
    { level: 'info', message: 'The history of uploads was pruned', rows: 2 },
  ]);
  expect([await batchesOf(race), await historyOf(race)]).toEqual([1, 1]);
  expect(await countOf(sql`from results where event_id = ${race.eventId}`)).toBe(1);
});

test('deletes old uploads of passings and what they replaced, and keeps young ones and every passing', async () => {
  const race = await createRace({ bibs: ['1'] });
  const pass = (time: string) =>
    postJson(race, JSON.stringify({ passings: [{ bib_number: '1', point: 'Km 5', time }] }), {
      to: '/passings',
    });
  for (const time of ['21:00', '22:00', '23:00']) await pass(time);
  await db.execute(sql`update passing_uploads set received_at = ${OLD}
    where event_id = ${race.eventId} and id not in (select upload_id from passings)`);
  const held = () =>
    Promise.all([
      countOf(sql`from passing_uploads where event_id = ${race.eventId}`),
      countOf(sql`from replaced_passings join registrations on registrations.id = registration_id
        where event_id = ${race.eventId}`),
      countOf(sql`from passings where event_id = ${race.eventId}`),
    ]);
  expect(await held()).toEqual([3, 2, 1]);
  await prune();
  // The young upload can be reverted, so its replaced results stay.
  expect(await held()).toEqual([1, 1, 1]);
});

/** What a person decided about bib 1, of two bibs with results and passings, and which rows are left afterwards. */
type Decided = {
  decide: (race: Organizing) => Promise<unknown>;
  /** The reason by the sent time of bib 1. A row without a reason is stored. */
  left: Record<string, string | undefined>;
};

type Organizing = Race & { inPanel: (method: string, path: string, body: object) => Promise<void> };

const [GUN, OTHER] = ['0:40:00', '0:41:00'];

async function createOrganizing(): Promise<Organizing> {
  const race = await createRace({ bibs: ['1', '2'] });
  const { ask } = await panelOf(race);
  const inPanel = async (method: string, path: string, body: object) => {
    const answer = await ask(path, { method, body: JSON.stringify(body) });
    expect(answer.ok, `${path}: ${await answer.clone().text()}`).toBe(true);
  };
  return { ...race, inPanel };
}

const act = async ({ path, key }: Race, method: string, below: string): Promise<string> => {
  const answer = await request(path + below, { method, headers: withKey(key) });
  expect(answer.ok, `${below}: ${await answer.clone().text()}`).toBe(true);
  const out = await answer.json<{ batch_id?: string; upload_id?: string }>();
  return out.batch_id ?? out.upload_id ?? '';
};
const revertOf = (kind: 'result-batches' | 'passing-uploads') => (race: Race, id: string) =>
  act(race, 'POST', `/${kind}/${id}/revert`);
const revertBatch = revertOf('result-batches');
const revertUpload = revertOf('passing-uploads');
const removeResult = (race: Race) => act(race, 'DELETE', '/results/1');

const send = async (race: Race, gun_time: string, query = '', bib_number = '1') =>
  answered(
    await postJson(race, JSON.stringify({ results: [{ bib_number, gun_time }] }), {
      to: `/results${query}`,
    }),
  );
const pass = async (race: Race, time: string, query = '') => {
  const passings = [{ bib_number: '1', point: 'Km 5', time }];
  const answer = await postJson(race, JSON.stringify({ passings }), { to: `/passings${query}` });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json<PassingsUploadOut>();
};

/** Tells the start of all runners, or shifts the start by a minute. */
const start = (race: Organizing, minute: number) =>
  race.inPanel('PUT', `/starts${minute === 0 ? '' : '?shift=true'}`, {
    version: minute,
    starts: [
      {
        ...{ name: 'All', distance: null, bib_from: null, bib_to: null },
        starts_at: `2027-05-09T09:0${minute}:00+02:00`,
      },
    ],
  });

const RESULTS: Record<string, Decided> = {
  'a correction': {
    decide: async (race) => {
      await send(race, GUN);
      await race.inPanel('PATCH', '/results/1', { status: 'DNF' });
    },
    left: { [GUN]: 'decided_by_person', [OTHER]: 'decided_by_person' },
  },
  'an entry by hand': {
    decide: (race) => send(race, GUN, '?by_hand=true'),
    left: { [OTHER]: 'decided_by_person' },
  },
  'a disqualification': {
    decide: (race) => uploadRows(race, [{ bib_number: '1', status: 'DSQ' }]),
    left: { [GUN]: 'disqualified' },
  },
  'a deletion': {
    decide: async (race) => {
      await send(race, GUN);
      await removeResult(race);
    },
    left: { [GUN]: 'deleted_by_person', [OTHER]: 'deleted_by_person' },
  },
  'a deletion that stands again': {
    decide: async (race) => {
      await send(race, GUN);
      await revertBatch(race, await revertBatch(race, await removeResult(race)));
    },
    left: { [GUN]: 'deleted_by_person', [OTHER]: 'deleted_by_person' },
  },
  'an upload that was taken back after its deletion was': {
    decide: async (race) => {
      const { batch_id } = await send(race, GUN);
      await revertBatch(race, await removeResult(race));
      await revertBatch(race, batch_id);
    },
    left: { [GUN]: 'taken_back', [OTHER]: undefined },
  },
  'an upload after a deletion, taken back': {
    decide: async (race) => {
      await send(race, GUN);
      await removeResult(race);
      await revertBatch(race, (await send(race, '0:42:00')).batch_id);
    },
    left: { '0:42:00': 'deleted_by_person', [OTHER]: 'deleted_by_person' },
  },
  'two uploads that were taken back': {
    decide: async (race) => {
      await send(race, '0:42:00');
      for (const time of [GUN, '0:39:00'])
        await revertBatch(race, (await send(race, time)).batch_id);
    },
    left: { [GUN]: 'taken_back', '0:39:00': 'taken_back', [OTHER]: undefined },
  },
  'an upload that was taken back, and a later result': {
    decide: async (race) => {
      await revertBatch(race, (await send(race, GUN)).batch_id);
      await send(race, '0:42:00');
    },
    left: { [GUN]: undefined },
  },
  'a swap with a runner without a result': {
    decide: async (race) => {
      await send(race, GUN);
      await race.inPanel('POST', '/results/swap', { bib_numbers: ['1', '2'] });
    },
    left: { [GUN]: 'deleted_by_person', [OTHER]: 'deleted_by_person' },
  },
  'a swap that was taken back': {
    decide: async (race) => {
      await send(race, GUN, '', '2');
      await race.inPanel('POST', '/results/swap', { bib_numbers: ['1', '2'] });
      await revertBatch(race, await latestBatch(race));
    },
    left: { [GUN]: 'taken_back', [OTHER]: undefined },
  },
  'a start that was shifted twice': {
    decide: async (race) => {
      await start(race, 0);
      await send(race, GUN);
      for (const minute of [1, 2]) await start(race, minute);
    },
    left: { [GUN]: 'taken_back', '0:39:00': 'taken_back', [OTHER]: undefined },
  },
};

const PASSINGS: Record<string, Decided> = {
  'a deleted point': {
    decide: async (race) => {
      await pass(race, GUN);
      await act(race, 'DELETE', '/passings?point=Km%205');
    },
    left: { [GUN]: 'deleted_by_person', [OTHER]: 'deleted_by_person' },
  },
  'a deleted point whose deletion stands again': {
    decide: async (race) => {
      await pass(race, GUN);
      await act(race, 'DELETE', '/passings?point=Km%205');
      await revertUpload(race, await revertUpload(race, await latestUpload(race)));
    },
    left: { [GUN]: 'deleted_by_person', [OTHER]: 'deleted_by_person' },
  },
  'an upload that was taken back after the deletion of its point was': {
    decide: async (race) => {
      const { upload_id } = await pass(race, GUN);
      await act(race, 'DELETE', '/passings?point=Km%205');
      await revertUpload(race, await latestUpload(race));
      await revertUpload(race, upload_id);
    },
    left: { [GUN]: 'taken_back', [OTHER]: undefined },
  },
  'two uploads that were taken back': {
    decide: async (race) => {
      await pass(race, '0:42:00');
      for (const time of [GUN, '0:39:00']) {
        await revertUpload(race, (await pass(race, time)).upload_id);
      }
    },
    left: { [GUN]: 'taken_back', '0:39:00': 'taken_back', [OTHER]: undefined },
  },
  'an upload that was taken back, and a later passing': {
    decide: async (race) => {
      await revertUpload(race, (await pass(race, GUN)).upload_id);
      await pass(race, '0:42:00');
    },
    left: { [GUN]: undefined },
  },
  'a start that was shifted, and the shift that was taken back': {
    decide: async (race) => {
      await start(race, 0);
      await pass(race, GUN);
      await start(race, 1);
      await revertBatch(race, await latestBatch(race));
    },
    left: { '0:39:00': 'taken_back', [OTHER]: undefined },
  },
  'a start that was shifted': {
    decide: async (race) => {
      await start(race, 0);
      await pass(race, GUN);
      await start(race, 1);
    },
    left: { [GUN]: 'taken_back', [OTHER]: undefined },
  },
};

const latestOf = (kind: 'result-batches' | 'passing-uploads') => async (race: Race) => {
  const answer = await request(`${race.path}/${kind}`, { headers: withKey(race.key) });
  const { data } = await answer.json<{ data: { id: string }[] }>();
  return data[0]?.id ?? '';
};
const latestBatch = latestOf('result-batches');
const latestUpload = latestOf('passing-uploads');

const DECISIONS = [
  ...Object.entries(RESULTS).map(([name, of]) => ({ name, ...of, upload: send })),
  ...Object.entries(PASSINGS).map(([name, of]) => ({
    name: `passings: ${name}`,
    ...of,
    upload: pass,
  })),
];

test.each(DECISIONS)('keeps what a person decided: $name', async ({ decide, left, upload }) => {
  for (const isPruned of [false, true]) {
    const race = await createOrganizing();
    await decide(race);
    if (isPruned) {
      await makeOld(race);
      await db.execute(
        sql`update passing_uploads set received_at = ${OLD} where event_id = ${race.eventId}`,
      );
      await prune();
      expect(await batchesOf(race)).toBe(0);
    }
    for (const [time, reason] of Object.entries(left)) {
      const out = await upload(race, time, '?leave=decided');
      const reasons = out.left.map(({ reason_code }) => reason_code);
      expect({ isPruned, time, reasons }).toEqual({
        isPruned,
        time,
        reasons: reason ? [reason] : [],
      });
      if (isPruned)
        expect(out.left).toEqual(out.left.map((row) => ({ ...row, sender: null, at: null })));
    }
  }
});

test('deletes nothing unless a retention is set', async () => {
  const race = await createRace({ bibs: ['1'] });
  await upload(race, '00:40:00');
  await makeOld(race);
  const { keepHistoryDays } = buildServices(testConfig);
  expect(keepHistoryDays).toBeUndefined();
  const log = { info: () => {}, error: () => {} };
  await pruneHistory({ ...buildServices(testConfig), log });
  expect(await batchesOf(race)).toBe(1);
  await prune();
  expect(await batchesOf(race)).toBe(0);
});

test('keeps an old upload that took effect after a young one', async () => {
  const race = await createRace({ bibs: ['1'] });
  await upload(race, '00:40:00');
  const { batch_id } = await upload(race, '00:39:00');
  await makeOld(race, batch_id);
  await prune();
  expect(await batchesOf(race)).toBe(2);
});

test('ends a step at 1 000 uploads or 100 000 replaced results, and leaves the rest to the next run', async () => {
  const race = await createRace({ bibs: ['1'] });
  const { batch_id } = await upload(race, '00:40:00');
  const insertLike = (batches: number, updated: number) =>
    db.execute(sql`insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates, received_at)
      select event_id, api_key_id, source, ${updated}::int, 0, ${updated}::int, 0, 0, 0, ${OLD}
      from result_batches, generate_series(1, ${batches}::int) where id = ${batch_id}`);
  // A young upload keeps older uploads that took effect later.
  await db.execute(
    sql`update result_batches set effect_order = 9007199254740991 where id = ${batch_id}`,
  );
  await insertLike(3, 60_000);
  await prune(KEEP_HISTORY_DAYS, 1);
  expect(await batchesOf(race)).toBe(1 + 1);
  await insertLike(1_100, 1);
  await prune(KEEP_HISTORY_DAYS, 1);
  expect(await batchesOf(race)).toBe(1 + 101);
  await prune(KEEP_HISTORY_DAYS, 1);
  expect(await batchesOf(race)).toBe(1);
});

test('refuses to delete what is younger than a week, also from whoever has the role of the Worker', async () => {
  const asWorker = neon(testConfig.DATABASE_URL);
  for (const until of ["now() - interval '6 days'", 'now()', 'null']) {
    await expect(asWorker.query(`select prune_history(${until})`)).rejects.toThrow(
      'must be at least 7 days ago',
    );
  }
  await expect(asWorker.query('delete from result_batches')).rejects.toThrow('permission denied');
});

test('names nothing by the search path of who calls it', async () => {
  const { rows } = await db.execute(sql`select prosecdef, proconfig,
      has_function_privilege('public', oid, 'execute') as for_all
    from pg_proc where proname = 'prune_history'`);
  expect(rows).toEqual([{ prosecdef: true, proconfig: ['search_path=""'], for_all: false }]);
});
