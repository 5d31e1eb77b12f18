import { compareNames } from '../../../../../timing-files/read/name-order.ts';
import type { NamedResult } from '../../client/types.ts';
import { raceTime, shortTime, textOfParts as text } from '../formats.ts';

/** The first so many are named on the stage. */
const FIRST = 10;

/** The two kinds of a place: by `gun_overall`, one overall goes by the gun time, and one in a group by the chip time. */
type Kind = 'overall' | 'category';

/**
 * The sheets of the speaker, one for each distance: the first ten overall, by gender and by category.
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
  kind: Kind;
}

/** All runners of a distance, each gender, and each category within a gender. */
function groupsOf(results: NamedResult[]): Ranked[] {
  const genders = inOrder(Map.groupBy(results, ({ gender }) => gender ?? ''));
  return [
    { name: text('speakerOverall'), results, kind: 'overall' },
    ...genders.map(
      ([gender, ofGender]): Ranked => ({
        name: genderName(gender),
        results: ofGender,
        kind: 'overall',
      }),
    ),
    ...genders.flatMap(([gender, ofGender]) =>
      inOrder(Map.groupBy(ofGender, ({ category }) => category ?? '')).map(
        ([category, ofCategory]): Ranked => ({
          name: `${genderName(gender)} · ${category}`,
          results: ofCategory,
          kind: 'category',
        }),
      ),
    ),
  ];
}

/** `Women` of `F`: the speaker reads it aloud. */
function genderName(gender: string): string {
  const known = (['F', 'M', 'X'] as const).find((one) => one === gender);
  if (!known) return gender;
  const [first = '', ...rest] = text(`gender.${known}`);
  return first.toLocaleUpperCase() + rest.join('');
}

/** The groups that have a name, by it. */
const inOrder = (groups: ReadonlyMap<string, NamedResult[]>) =>
  [...groups].filter(([name]) => name !== '').sort(([one], [other]) => compareNames(one, other));

/** Places are those within the group, as on the board: the API counts a category over all genders. */
function Group({ name, results, kind }: Ranked) {
  const timed = results
    .filter(({ status }) => status === 'FINISHED')
    .map((result) => ({ result, time: rankTime(result, kind) }))
    .sort((one, other) => Number(one.time > other.time) - Number(one.time < other.time));
  const slowest = timed[FIRST - 1]?.time ?? '~';
  const first = timed.filter(({ time }) => time <= slowest);
  if (first.length === 0) return null;
  return (
    <section>
      <h2 dir="auto">{name}</h2>
      <table>
        {first.map(({ result, time }) => (
          <tr key={result.inscription_id}>
            <td>{1 + first.findIndex((one) => one.time === time)}</td>
            <td>{result.bib_number}</td>
            <td dir="auto">{[result.given_names, result.surnames].filter(Boolean).join(' ')}</td>
            <td>{shortTime(time)}</td>
          </tr>
        ))}
      </table>
    </section>
  );
}

/** The time that the place is by. Who has not the one is ranked by the other. */
function rankTime({ chip_time, gun_time, rank_by }: NamedResult, kind: Kind): string {
  const isByGun = rank_by === 'gun' || (rank_by === 'gun_overall' && kind === 'overall');
  return (isByGun ? (gun_time ?? chip_time) : (chip_time ?? gun_time)) ?? '';
}
