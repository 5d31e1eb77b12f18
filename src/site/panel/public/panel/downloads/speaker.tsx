import { compareNames } from '../../../../../timing-files/read/name-order.ts';
import { startOf } from '../../../../../timing-files/read/starts.ts';
import { secondsBehind } from '../../../../../timing-files/write/whole-seconds.ts';
import type { EventStart, NamedResult } from '../../client/types.ts';
import { DOT } from '../../shared/dom.ts';
import type { OrganizationEvent } from '../api.ts';
import { clockTime, raceTime, rankTime, shortTime, textOfParts as text } from '../formats.ts';
import { genderName } from '../gender.ts';
import { type PlaceIn, prizesIn } from './prizes.ts';

/** The first so many are named on the stage. */
const FIRST = 10;

/**
 * The sheets of the speaker, a sheet for each distance: the first ten overall, by gender and by category.
 * @param results distance by distance
 */
export function SpeakerSheets({
  results,
  race,
  starts,
}: {
  results: readonly NamedResult[];
  race: OrganizationEvent;
  starts: readonly EventStart[];
}) {
  const distances = Map.groupBy(results, ({ distance }) => distance ?? '');
  const now = raceTime(new Date().toISOString());
  return (
    <>
      {[...distances].map(([distance, ofDistance]) => (
        <article key={distance}>
          <h1 dir="auto">{[race.name, distance].filter(Boolean).join(' · ')}</h1>
          <p>{[text('speakerAt', { time: now }), ...gunsOf(starts, ofDistance)].join(DOT)}</p>
          {race.prizes === 'overall_leaves_category' && <p>{text('speakerPrizes')}</p>}
          <div>
            {groupsOf(ofDistance).map((group) => (
              <Group key={group.name} {...group} prizes={race.prizes} />
            ))}
          </div>
        </article>
      ))}
    </>
  );
}

/** When the guns of some runners went off, such as `Wave B: 09:07:30`. */
function gunsOf(starts: readonly EventStart[], results: readonly NamedResult[]): string[] {
  const own = results.map(({ bib_number: bib, distance }) => startOf(starts, { bib, distance }));
  return starts
    .filter((start) => own.includes(start))
    .map(({ name, starts_at }) => text('speakerGun', { name, time: clockTime(starts_at) }));
}

interface Ranked {
  name: string;
  results: readonly NamedResult[];
  place: PlaceIn;
}

/** All runners of a distance, each gender, and each category within a gender. */
function groupsOf(results: NamedResult[]): Ranked[] {
  const genders = inOrder(Map.groupBy(results, ({ gender }) => gender ?? ''));
  return [
    { name: text('speakerOverall'), results, place: 'position_distance' },
    ...genders.flatMap(([gender, ofGender]): Ranked[] =>
      gender === ''
        ? []
        : [{ name: genderName(gender), results: ofGender, place: 'position_distance_gender' }],
    ),
    ...genders.flatMap(([gender, ofGender]) =>
      inOrder(Map.groupBy(ofGender, ({ category }) => category ?? ''))
        .filter(([category]) => category !== '')
        .map(
          ([category, ofCategory]): Ranked => ({
            name: [genderName(gender), category].filter(Boolean).join(DOT),
            results: ofCategory,
            place: 'position_distance_category',
          }),
        ),
    ),
  ];
}

/** The groups by name. */
const inOrder = (groups: ReadonlyMap<string, NamedResult[]>) =>
  [...groups].sort(([one], [other]) => compareNames(one, other));

function Group({ name, results, place, prizes }: Ranked & Pick<OrganizationEvent, 'prizes'>) {
  const isCategory = place === 'position_distance_category';
  const first = prizesIn(results, place, prizes)
    .filter(({ prize }) => prize <= FIRST)
    .map((won) => ({ ...won, time: rankTime(won.result, won.result.rank_by, isCategory) }));
  if (first.length === 0) return null;
  return (
    <section>
      <h2 dir="auto">{name}</h2>
      <table>
        {first.map((one) => (
          <tr key={one.result.inscription_id}>
            <td>{one.prize}</td>
            <td>{one.result.bib_number}</td>
            <td dir="auto">
              {[one.result.given_names, one.result.surnames].filter(Boolean).join(' ')}
              {one.prize !== one.place && ` ${text('speakerPlace', { place: one.place })}`}
            </td>
            <td>
              {shortTime(one.time ?? '')} {behindText(secondsBehind(one, first))}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

const behindText = (seconds: number | undefined) =>
  seconds === undefined ? '' : text('speakerBehind', { seconds });
