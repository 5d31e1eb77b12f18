import { DOT } from '../../shared/dom.ts';
import { addressOf } from '../address.ts';
import type { OrganizationEvent } from '../api.ts';
import { clockTime, minuteTime, shortTime, textOfParts as text } from '../formats.ts';
import { genderWord } from '../gender.ts';
import { Message, useEvery, useLoaded, useSession, useShown } from '../kit.tsx';
import { printSheets, useSheets } from '../print.tsx';
import { nameOf } from '../race-state.ts';
import { type Coming, comingTo } from './coming.ts';
import { readComing } from './pages.ts';
import { asking } from './reading.ts';

const EVERY_MS = 10_000;

/** The speaker's page: who comes next at the finish and at each point, for a laptop beside the microphone. */
export function Speaker({ race }: { race: OrganizationEvent }) {
  const ask = asking(useSession(), race.id);
  const { value, message, reload } = useLoaded(async () => {
    const { data, progress } = await readComing(ask);
    const now = Date.now();
    const points = progress.points.map(({ point }) => point);
    return { now, places: comingTo(data, points, now), onCourse: progress.on_course };
  }, []);
  useEvery(EVERY_MS, reload);
  useShown(value !== undefined || message !== '');
  useSheets();
  const lists = value?.places.map(([point, coming]) => (
    <section key={point} class="card block stack">
      <h2 dir="auto">{point ?? text('course.finish')}</h2>
      <table class="rows">
        <tbody>
          {coming.map((one) => (
            <Row key={one.runner.inscription_id} coming={one} now={value.now} />
          ))}
        </tbody>
      </table>
    </section>
  ));
  const state =
    value &&
    [
      text('speakerAt', { time: clockTime(new Date(value.now).toISOString()) }),
      text('course.count', { count: value.onCourse }),
    ].join(DOT);
  const print = () =>
    printSheets(
      <article>
        <h1 dir="auto">{race.name}</h1>
        <p>{state}</p>
        <div>{lists}</div>
      </article>,
    );
  return (
    <div id="part-speaker" class="stack">
      <div class="row spread">
        <h1 id="race-title" tabIndex={-1}>
          {[text('course.speaker'), race.name].join(DOT)}
        </h1>
        <p class="row">
          <a class="button" href={addressOf(race.id, 'course')}>
            {`← ${text('partCourse')}`}
          </a>
          <button type="button" class="button" onClick={print}>
            {text('course.print')}
          </button>
        </p>
      </div>
      <Message>{message}</Message>
      <p class="hint">{state}</p>
      {!value && message === '' && (
        <p class="waiting empty soft" role="status">
          {text('loading')}
        </p>
      )}
      <div class="pair coming">{lists}</div>
      {lists?.length === 0 && <p class="card empty">{text('course.nobodyComes')}</p>}
    </div>
  );
}

function Row({ coming: { runner, atMs, time }, now }: { coming: Coming; now: number }) {
  const { distance, category, gender, category_place_at_point: place, point } = runner;
  const group = [gender && genderWord(gender), category].filter(Boolean).join(' ');
  const facts = [distance, place !== null && placeAt(place, group, point)];
  return (
    <tr>
      <td class={atMs !== undefined && atMs < now ? 'due' : ''}>
        {atMs === undefined ? `≈ ${shortTime(time)}` : whenOf(atMs, now)}
      </td>
      <td>{runner.bib_number ?? '–'}</td>
      <td dir="auto">
        <strong>{nameOf(runner)}</strong> <small>{facts.filter(Boolean).join(DOT)}</small>
      </td>
    </tr>
  );
}

/** A name of a group or a point stays on a line. */
const placeAt = (place: number, group: string, point: string) =>
  text('course.placeAt', { place, group: unbroken(group), point: unbroken(point) });

const unbroken = (name: string) => name.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011');

/** The minutes until a time; the time itself once it has passed. */
function whenOf(atMs: number, now: number) {
  if (atMs < now) return text('course.due', { time: minuteTime(new Date(atMs).toISOString()) });
  const minutes = Math.round((atMs - now) / 60_000);
  return minutes <= 0 ? text('course.now') : text('course.minutes', { count: minutes });
}
