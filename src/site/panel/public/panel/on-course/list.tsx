import { useState } from 'preact/hooks';
import type { OnCourseRunner } from '../../client/types.ts';
import { DOT } from '../../shared/dom.ts';
import { addressOf } from '../address.ts';
import type { OrganizationEvent } from '../api.ts';
import {
  clockTime,
  isolated,
  minuteTime,
  raceTime,
  relativeTime,
  shortTime,
  textOfParts as text,
} from '../formats.ts';
import {
  Figures,
  Message,
  More,
  useAttempt,
  useEvery,
  useLoaded,
  useSession,
  useShown,
} from '../kit.tsx';
import { announce } from '../page.ts';
import { printSheets, useSheets } from '../print.tsx';
import { nameOf } from '../race-state.ts';
import { Charts } from './charts.tsx';
import { byFinish } from './coming.ts';
import { readPages } from './pages.ts';
import { stagesOf } from './progress.tsx';
import { asking } from './reading.ts';

const EVERY_MS = 10_000;
/** From here on a delay is told in hours. */
const HOURS_FROM_MINUTES = 90;
/** A runner is late when the next point has not seen the runner for so many minutes after the expected time. */
const LATE_MINUTES = 5;

/** The runners on the course: where and when the last point saw each, and when the runner is expected. */
export function OnCourse({ race }: { race: OrganizationEvent }) {
  const ask = asking(useSession(), race.id);
  const [{ point, pages }, setWanted] = useState({ point: '', pages: 1 });
  const { value, message, reload } = useLoaded(
    () => readPages(ask, point, pages),
    [point, pages, race.latest_batch?.received_at],
  );
  useEvery(EVERY_MS, reload);
  useShown(message !== '');
  const { attempt, isBusy } = useAttempt(undefined, announce);
  useSheets();
  const print = async () => {
    const { data } = await readPages(ask, point, Number.POSITIVE_INFINITY);
    printSheets(<SweepSheet race={race} point={point} runners={data} />);
  };
  if (!value) return <Message>{message}</Message>;
  const { total, total_pages } = value.meta;
  const isEmpty = total === 0 && point === '';
  // The pages come in the order of race times. Only all of them together have an order of finishes.
  const isWhole = pages >= total_pages;
  const runners = isWhole ? value.data.toSorted(byFinish) : value.data;
  return (
    <>
      <Message>{message}</Message>
      <Figures of={stagesOf(value.progress, race)} />
      <div class="tools row">
        {!isEmpty && (
          <select
            class="input"
            aria-label={text('course.lastPoint')}
            value={point}
            onChange={({ currentTarget }) => setWanted({ point: currentTarget.value, pages: 1 })}
          >
            <option value="">{text('course.anyPoint')}</option>
            {value.progress.points.map(({ point: name }) => (
              <option key={name} value={name}>
                {titleOf(name)}
              </option>
            ))}
          </select>
        )}
        {!isEmpty && (
          <button
            type="button"
            class="button"
            aria-busy={isBusy || undefined}
            onClick={() => attempt(print)}
          >
            {text('course.sheet')}
          </button>
        )}
        <a class="button" href={addressOf(race.id, 'speaker')}>
          {text('course.speaker')}
        </a>
      </div>
      {isEmpty ? (
        <p class="card empty">
          {text(value.progress.started === 0 ? 'course.nobodyStarted' : 'course.nobodyOut')}
        </p>
      ) : (
        <>
          <p class="hint" role="status">
            {[
              text('course.count', { count: total }),
              text(isWhole ? 'course.byFinish' : 'course.order'),
            ].join(DOT)}
          </p>
          <ul class="card" aria-label={text('partCourse')}>
            {runners.map((runner) => (
              <Row key={runner.inscription_id} runner={runner} />
            ))}
          </ul>
        </>
      )}
      <More onClick={!isWhole ? () => setWanted({ point, pages: pages + 1 }) : undefined} />
      <Charts race={race} />
    </>
  );
}

const titleOf = (point: string) =>
  point === '' ? text('partCourse') : text('course.seenAt', { point: isolated(point) });

function Row({ runner }: { runner: OnCourseRunner }) {
  const { bib_number, distance, category, seconds_since, next_at, next_time } = runner;
  const now = Date.now();
  const late = next_at === null ? 0 : Math.floor((now - Date.parse(next_at)) / 60_000);
  const isLate = late >= LATE_MINUTES;
  // The expected finish of a late runner has no worth once the time has passed.
  const isMissed = isLate && runner.finish_at !== null && Date.parse(runner.finish_at) < now;
  return (
    <li class="runner">
      <div class="line">
        <span class="bib">{bib_number ?? '–'}</span>
        <span class="who">
          <strong>{nameOf(runner)}</strong>{' '}
          <small class="groups">{[distance, category].filter(Boolean).join(DOT)}</small>
          <small class="points">
            <span>{`${runner.point} ${shortTime(runner.time)}`}</span>
            {seconds_since !== null && (
              <span>{relativeTime(new Date(now - 1000 * seconds_since))}</span>
            )}
            {runner.next_point !== null && next_time !== null && (
              <span>{`${runner.next_point} ≈ ${expected(next_at, next_time)}`}</span>
            )}
            {isLate && <span class="not-seen">{lateText(late)}</span>}
          </small>
        </span>
        <span class="outcome">
          {runner.finish_time !== null && !isMissed && (
            <>
              <small>{text('course.finish')}</small>{' '}
              {`≈ ${expected(runner.finish_at, runner.finish_time)}`}
            </>
          )}
        </span>
      </div>
    </li>
  );
}

const lateText = (minutes: number) =>
  minutes < HOURS_FROM_MINUTES
    ? text('course.late', { count: minutes })
    : text('course.hoursLate', { count: Math.round(minutes / 60) });

/** The time of day; the race time, if nobody told the start. */
const expected = (at: string | null, time: string) =>
  at === null ? shortTime(time) : minuteTime(at);

/** The sheet for the sweep: who was seen at a point and not after it, with room for a mark. */
function SweepSheet({
  race,
  point,
  runners,
}: {
  race: OrganizationEvent;
  point: string;
  runners: readonly OnCourseRunner[];
}) {
  const now = raceTime(new Date().toISOString());
  const distances = Map.groupBy(runners, ({ distance }) => distance ?? '');
  return (
    <article>
      <h1 dir="auto">{[race.name, titleOf(point)].join(DOT)}</h1>
      <p>
        {[text('speakerAt', { time: now }), text('course.count', { count: runners.length })].join(
          DOT,
        )}
      </p>
      <div>
        {[...distances].map(([distance, ofDistance]) => (
          <section key={distance}>
            <h2 dir="auto">{distance}</h2>
            <table>
              {ofDistance.map((runner) => (
                <tr key={runner.inscription_id}>
                  <td>☐</td>
                  <td>{runner.bib_number ?? '–'}</td>
                  <td dir="auto">{nameOf(runner)}</td>
                  <td>{[point === '' ? runner.point : '', timeAt(runner)].join(' ')}</td>
                </tr>
              ))}
            </table>
          </section>
        ))}
      </div>
    </article>
  );
}

const timeAt = ({ passed_at: at, time }: OnCourseRunner) =>
  at === null ? shortTime(time) : clockTime(at);
