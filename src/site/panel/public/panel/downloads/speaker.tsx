import { compareNames } from '../../../../../timing-files/read/name-order.ts';
import { secondsBehind } from '../../../../../timing-files/write/whole-seconds.ts';
import type { NamedResult } from '../../client/types.ts';
import { DOT } from '../../shared/dom.ts';
import { raceTime, rankTime, shortTime, textOfParts as text } from '../formats.ts';

/** The first so many are named on the stage. */
const FIRST = 10;

/** The field with the place in a group of a distance. */
type Place = `position_distance${'' | '_gender' | '_category'}`;

/**
 * The sheets of the speaker, a sheet for each distance: the first ten overall, by gender and by category.
 * @param results distance by distance
 */
export function SpeakerSheets({
  results,
  race,
}: {
  results: readonly NamedResult[];
  race: string;
}) {
  const distances = Map.groupBy(results, ({ distance }) => distance ?? '');
  const now = raceTime(new Date().toISOString());
  return (
    <>
      {[...distances].map(([distance, ofDistance]) => (
        <article key={distance}>
          <h1 dir="auto">{[race, distance].filter(Boolean).join(' · ')}</h1>
          <p>{text('speakerAt', { time: now })}</p>
          <div>
            {groupsOf(ofDistance).map((group) => (
              <Group key={group.name} {...group} />
            ))}
          </div>
        </article>
      ))}
    </>
  );
}

interface Ranked {
  name: string;
  results: readonly NamedResult[];
  place: Place;
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

/** `Women` for `F`: the speaker reads the word aloud. */
function genderName(gender: string): string {
  const known = (['F', 'M', 'X'] as const).find((one) => one === gender);
  if (!known) return gender;
  const [first = '', ...rest] = text(`gender.${known}`);
  return first.toLocaleUpperCase() + rest.join('');
}

/** The groups by name. */
const inOrder = (groups: ReadonlyMap<string, NamedResult[]>) =>
  [...groups].sort(([one], [other]) => compareNames(one, other));

function Group({ name, results, place }: Ranked) {
  const isCategory = place === 'position_distance_category';
  const first = results
    .map((result) => ({
      result,
      place: result[place],
      time: rankTime(result, result.rank_by, isCategory),
    }))
    .filter((one) => (one.place ?? Infinity) <= FIRST)
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
  if (first.length === 0) return null;
  return (
    <section>
      <h2 dir="auto">{name}</h2>
      <table>
        {first.map((one) => (
          <tr key={one.result.inscription_id}>
            <td>{one.place}</td>
            <td>{one.result.bib_number}</td>
            <td dir="auto">
              {[one.result.given_names, one.result.surnames].filter(Boolean).join(' ')}
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
