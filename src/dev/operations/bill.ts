import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALWAYS_LOOKING,
  BOARD_PAGE,
  NOW_AND_THEN,
  PLAIN_PAGE,
  playFollowers,
} from '../race-simulator/followers.ts';
import { entrantsOf, planRace } from '../race-simulator/plan.ts';
import { ifStarted } from '../stack/script.ts';
import prices from './prices.json' with { type: 'json' };

const HOUR_MS = 3_600_000;
const RUNNERS = 10_000;
const CREWS = 5;
const SPECTATORS = 20_000;
const RACE_HOURS = 8;
/** The share of the spectators of a day who look all the time. The others look now and then. */
const ALWAYS_SHARE = 0.25;
const DAY_HOURS = 24;

/** An upload every 3 s and a read every 10 s. */
const REQUESTS_OF_CREW_PER_SECOND = 1 / 3 + 1 / 10;
const MEASURED = join(import.meta.dirname, '../../../.github/operations/capacity.md');

/** The measured figures of an operation. They stand in capacity.md alone. */
function measured(operation: string): { cpuMs: number; commands: number } {
  const rows = readFileSync(MEASURED, 'utf8').split('\n');
  const row = rows.find((text) => text.startsWith(`| ${operation} |`));
  const [cpuMs = Number.NaN, commands = Number.NaN] = row?.split('|').slice(2).map(Number) ?? [];
  if (Number.isNaN(cpuMs + commands)) throw new Error(`capacity.md has no row "${operation}".`);
  return { cpuMs, commands };
}

const workersCost = (requests: number, cpuMs: number): number =>
  (requests * prices.workers.per_million_requests +
    requests * cpuMs * prices.workers.per_million_cpu_ms) /
  1_000_000;

/** What a race day costs by list price, in dollars, beyond what a plan includes. */
export function billOfRaceDay(): string {
  const plan = planRace(entrantsOf(RUNNERS, '21K', '10K', '10K'), 1);
  const hours = plan.endsAtMs / HOUR_MS;
  const upload = measured('an upload of 20 arrivals');
  const poll = measured('a poll of a board that the cache answers');
  const followers = 10;
  const perHour = (habit: typeof ALWAYS_LOOKING) =>
    [BOARD_PAGE, PLAIN_PAGE].map(
      (page) => playFollowers(plan, page, habit, followers).requests / followers / hours,
    );
  const [always, nowAndThen] = [perHour(ALWAYS_LOOKING), perHour(NOW_AND_THEN)];
  const mixed = always.map(
    (rate, page) => ALWAYS_SHARE * rate + (1 - ALWAYS_SHARE) * (nowAndThen[page] ?? Number.NaN),
  );

  function spectators(who: string, rates: readonly number[], forHours: number) {
    const [requests = 0, plain = 0] = rates.map((rate) => SPECTATORS * forHours * rate);
    return line(
      `${SPECTATORS / 1_000} 000 spectators, ${who}`,
      `${millions(requests)} requests, ${Math.round((100 * requests) / plain)} % of a plain page`,
      workersCost(requests, poll.cpuMs),
    );
  }

  const ofCrews = CREWS * RACE_HOURS * 3_600 * REQUESTS_OF_CREW_PER_SECOND;
  const commands = ofCrews * upload.commands;
  const commandsCost = (commands / 100_000) * prices.redis.per_hundred_thousand_commands;
  return [
    '| part | amount | dollars |',
    '|---|---|---:|',
    line(
      `${CREWS} crews, Workers`,
      `${millions(ofCrews)} requests`,
      workersCost(ofCrews, upload.cpuMs),
    ),
    line(`${CREWS} crews, Redis`, `${millions(commands)} commands`, commandsCost),
    line(
      'Postgres, plan Launch',
      '1 compute unit for 24 hours',
      DAY_HOURS * prices.postgres.per_compute_hour_launch,
    ),
    line(
      'Postgres, plan Scale',
      '1 compute unit for 24 hours',
      DAY_HOURS * prices.postgres.per_compute_hour_scale,
    ),
    spectators('half an hour each, who look all the time', always, 0.5),
    spectators('8 hours each, who look for 2 of 10 minutes', nowAndThen, RACE_HOURS),
    spectators('8 hours each, who look all the time', always, RACE_HOURS),
    spectators(
      `8 hours each, of whom ${100 * ALWAYS_SHARE} % look all the time, the rest 2 of 10 minutes`,
      mixed,
      RACE_HOURS,
    ),
  ].join('\n');
}

const millions = (count: number): string => `${(count / 1_000_000).toFixed(2)} million`;

const line = (part: string, amount: string, dollars: number): string =>
  `| ${part} | ${amount} | ${dollars.toFixed(2)} |`;

/** `npm run bill`: prints what a race day costs, by the prices in `prices.json`. */
ifStarted(import.meta.filename, async () => console.log(billOfRaceDay()));
