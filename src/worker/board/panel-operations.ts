import type { ProseOf } from '../http/documentation.ts';
import { runnerNotFound } from '../http/validation.ts';
import { BoardDistance, HiddenName } from './panel-answer-schemas.ts';
import {
  distanceNotFound,
  type hiddenDistanceRoutes,
  type hiddenNameRoutes,
} from './panel-routes.ts';

const WHEN =
  'A board that is open follows within seconds, that of an event with tens of thousands of runners within a minute.';

export const hiddenNameProse: ProseOf<typeof hiddenNameRoutes> = {
  listHiddenNames: {
    tag: 'Panel board',
    summary: 'List runners whose names are hidden',
    description: 'Lists the runners whose names the live board of the event never shows, by bib.',
    answer: { status: 200, description: 'A page of runners.', listOf: HiddenName },
  },
  hideName: {
    tag: 'Panel board',
    summary: "Hide a runner's name",
    description: `
Hides the name of a runner from the live board, also where the board shows names. Bib, time and places stay. A second
call changes nothing. ${WHEN}`.trim(),
    answer: { status: 204, description: 'The name is hidden.' },
    errors: { 404: { bib_number: runnerNotFound().message } },
  },
  showName: {
    tag: 'Panel board',
    summary: "Show a runner's name again",
    description: `Undoes \`hideName\`. A second call changes nothing. ${WHEN}`,
    answer: { status: 204, description: 'The name is not hidden.' },
    errors: { 404: { bib_number: runnerNotFound().message } },
  },
};

export const hiddenDistanceProse: ProseOf<typeof hiddenDistanceRoutes> = {
  listHiddenDistances: {
    tag: 'Panel board',
    summary: 'List distances with hidden names',
    description: `
Lists the distances of the event, and tells of each distance whether the live board hides the names of its runners. A
hidden distance stays in the list also when nobody has the distance any more.`.trim(),
    answer: { status: 200, description: 'A page of distances.', listOf: BoardDistance },
  },
  hideDistance: {
    tag: 'Panel board',
    summary: 'Hide the names of a distance',
    description: `
Hides the names of all runners of a distance from the live board, such as the names of children, and the names of
runners who get the distance later. Bibs, times and places stay. A second call changes nothing. ${WHEN}`.trim(),
    answer: { status: 200, description: 'The distance.', schema: BoardDistance },
    errors: { 404: { distance: distanceNotFound().message } },
  },
  showDistance: {
    tag: 'Panel board',
    summary: 'Show the names of a distance again',
    description:
      'Undoes `hideDistance`. Names that `hideName` hides stay hidden. A second call changes nothing. ' +
      WHEN,
    answer: { status: 200, description: 'The distance.', schema: BoardDistance },
    errors: { 404: { distance: distanceNotFound().message } },
  },
};
