import { lengthKm } from '../../../../timing-files/read/distance.ts';
import type { NamedResult } from '../client/types.ts';
import { element } from '../shared/dom.ts';
import { absoluteTime, shortTime, textOfParts as text } from './formats.ts';

/** The first so many are named on the stage. */
const FIRST = 10;

type Place = 'position_distance' | 'position_distance_gender' | 'position_distance_category';

/**
 * The pages of the speaker, one for each distance: the first ten overall, by gender and by category.
 * @param results distance by distance
 */
export function speakerPages(results: readonly NamedResult[], race: string): HTMLElement[] {
  const distances = Map.groupBy(results, ({ distance }) => distance ?? '');
  const now = absoluteTime(new Date());
  const byLength = [...distances].sort(([one], [other]) => kmOf(one) - kmOf(other));
  return byLength.map(([distance, ofDistance]) => {
    const genders = Map.groupBy(ofDistance, ({ gender }) => gender ?? '');
    const groups = [
      firstOf(text('speakerOverall'), ofDistance, 'position_distance'),
      ...inOrder(genders).map(([gender, ofGender]) =>
        firstOf(genderName(gender), ofGender, 'position_distance_gender'),
      ),
      ...inOrder(genders).flatMap(([gender, ofGender]) =>
        inOrder(Map.groupBy(ofGender, ({ category }) => category ?? '')).map(
          ([category, ofCategory]) =>
            firstOf(
              `${genderName(gender)} · ${category}`,
              ofCategory,
              'position_distance_category',
            ),
        ),
      ),
    ];
    return element(
      'article',
      {},
      element('h1', { dir: 'auto' }, [race, distance].filter(Boolean).join(' · ')),
      element('p', {}, text('speakerAt', { time: now })),
      element('div', {}, ...groups.flatMap((group) => group ?? [])),
    );
  });
}

const kmOf = (distance: string) => lengthKm(distance) ?? Number.MAX_VALUE;

/** `Women` of `F`: the speaker reads it aloud. */
function genderName(gender: string): string {
  const known = (['F', 'M', 'X'] as const).find((one) => one === gender);
  if (!known) return gender;
  const [first = '', ...rest] = text(`gender.${known}`);
  return first.toLocaleUpperCase() + rest.join('');
}

/** The groups that have a name, by it. */
const inOrder = (groups: ReadonlyMap<string, NamedResult[]>) =>
  [...groups].filter(([name]) => name !== '').sort(([one], [other]) => (one < other ? -1 : 1));

function firstOf(name: string, results: readonly NamedResult[], place: Place) {
  const first = results
    .flatMap((result) => {
      const at = result[place];
      return at !== null && at <= FIRST ? [{ at, result }] : [];
    })
    .sort((one, other) => one.at - other.at);
  if (first.length === 0) return undefined;
  return element(
    'section',
    {},
    element('h2', { dir: 'auto' }, name),
    element(
      'table',
      {},
      ...first.map(({ at, result }) =>
        element(
          'tr',
          {},
          element('td', {}, String(at)),
          element('td', {}, result.bib_number ?? ''),
          element(
            'td',
            { dir: 'auto' },
            [result.given_names, result.surnames].filter(Boolean).join(' '),
          ),
          element('td', {}, shortTime(rankTime(result, place))),
        ),
      ),
    ),
  );
}

/** The time that the place is by. Who has not the one is ranked by the other. */
function rankTime({ chip_time, gun_time, rank_by }: NamedResult, place: Place): string {
  const isByGun =
    rank_by === 'gun' || (rank_by === 'gun_overall' && place !== 'position_distance_category');
  return (isByGun ? (gun_time ?? chip_time) : (chip_time ?? gun_time)) ?? '';
}
