import type { ProseOf } from '../http/documentation.ts';
import { runnerNotFound } from '../http/validation.ts';
import { HiddenName } from './panel-answer-schemas.ts';
import type { hiddenNameRoutes } from './panel-routes.ts';

const WHEN =
  'A board that is open follows within seconds, that of an event with tens of thousands of runners within a minute.';

export const hiddenNameProse: ProseOf<typeof hiddenNameRoutes> = {
  listHiddenNames: {
    tag: 'Panel results',
    summary: 'List runners whose names are hidden',
    description: 'Lists the runners whose names the live board of the event never shows, by bib.',
    answer: { status: 200, description: 'A page of runners.', listOf: HiddenName },
  },
  hideName: {
    tag: 'Panel results',
    summary: "Hide a runner's name",
    description: `
Hides the name of a runner from the live board, also where the board shows names. Bib, time and places stay. A second
call changes nothing. ${WHEN}`.trim(),
    answer: { status: 204, description: 'The name is hidden.' },
    errors: { 404: { bib_number: runnerNotFound().message } },
  },
  showName: {
    tag: 'Panel results',
    summary: "Show a runner's name again",
    description: `Undoes \`hideName\`. A second call changes nothing. ${WHEN}`,
    answer: { status: 204, description: 'The name is not hidden.' },
    errors: { 404: { bib_number: runnerNotFound().message } },
  },
};
