import { useLayoutEffect, useRef } from 'preact/hooks';
import { clockOf } from '../../../../../timing-files/write/whole-seconds.ts';
import type { BoardRace } from '../../../../../worker/board/answer-schemas.ts';
import { DOT } from '../../shared/dom.ts';
import { type Histogram, showHistogram } from '../../shared/histogram.ts';
import { Failure, type OrganizationEvent } from '../api.ts';
import { clockTime, textOfParts as text } from '../formats.ts';
import { genderName } from '../gender.ts';
import { useEvery, useLoaded, useShown } from '../kit.tsx';

const EVERY_MS = 30_000;
/** A picture of fewer finishers says no more than their list. */
const CHARTED_FROM = 10;
const MINUTES_FROM = 3;

/**
 * The finish times and the arrivals per minute of each distance, by gender. The pictures read the data of the live
 * board: the numbers equal the board's numbers, and cost the database nothing.
 */
export function Charts({ race }: { race: OrganizationEvent }) {
  const {
    value: races,
    message,
    reload,
  } = useLoaded(
    async () => (race.board_enabled ? await readBoard(race.id) : []),
    [race.board_enabled],
  );
  useEvery(EVERY_MS, reload);
  useShown(races !== undefined || message !== '');
  if (!race.board_enabled) return <p class="hint">{text('course.boardOff')}</p>;
  return (
    <div class="pair">
      {races
        ?.filter(({ counts }) => counts.FINISHED >= CHARTED_FROM)
        .flatMap(({ distance, finish_times, arrivals_per_minute }) => [
          <Chart
            key={`times ${distance}`}
            title={[distance, text('course.finishTimes')]}
            histogram={finish_times}
            format={(seconds) => clockOf(Math.ceil(seconds))}
          />,
          <Chart
            key={`arrivals ${distance}`}
            title={[distance, text('course.arrivals')]}
            histogram={isLong(arrivals_per_minute) ? arrivals_per_minute : null}
            format={(seconds) => clockTime(new Date(1_000 * seconds).toISOString())}
          />,
        ])}
    </div>
  );
}

/** The pictures keep their content while the board gives no answer. */
async function readBoard(race: string): Promise<BoardRace[]> {
  const answer = await fetch(`/board/${race}/data`, { credentials: 'omit' }).catch(() => undefined);
  if (!answer?.ok) throw new Failure('unreachable');
  const { races }: { races: BoardRace[] } = await answer.json();
  return races;
}

const isLong = (arrivals: Histogram | null) =>
  (arrivals?.groups[0]?.counts.length ?? 0) >= MINUTES_FROM;

function Chart({
  title,
  histogram,
  format,
}: {
  title: string[];
  histogram: Histogram | null;
  format: (seconds: number) => string;
}) {
  const picture = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    if (!picture.current || !histogram) return;
    const { from, step } = histogram;
    showHistogram(picture.current, histogram, (column) => format(from + column * step), {
      nameOf: (gender, groups) =>
        gender !== null
          ? genderName(gender)
          : text(groups === 1 ? 'course.everybody' : 'course.noGender'),
      mostBetween: (values) => text('course.mostBetween', values),
    });
  });
  if (!histogram) return null;
  return (
    <figure class="card block chart">
      <figcaption class="strong">{title.filter(Boolean).join(DOT)}</figcaption>
      <svg ref={picture} role="img" />
    </figure>
  );
}
