import { describeFields, type ProseOf } from '../http/documentation.ts';
import { Board, BoardEntry, BoardResult, OpenPoint } from './answer-schemas.ts';
import type { openBoardRoutes } from './open-routes.ts';
import { OpenListQuery } from './open-schemas.ts';
import { noBoard, notOnBoard } from './shown.ts';

describeFields(OpenListQuery(), {
  distance: { description: 'Only this distance.', examples: ['21K'] },
  gender: { description: 'Only this gender.', examples: ['F'] },
  category: { description: 'Only this category.', examples: ['Open'] },
});

const ABOUT = `
It needs no key, and answers while the organization has switched the live board of the event on. Web pages of every site
may ask. The answer is read again every 2 seconds at most, for an event with tens of thousands of runners every 10
seconds: \`Cache-Control\` says when.`.trim();

const errors = { 404: { board: noBoard().message } };

export const openBoardProse: ProseOf<typeof openBoardRoutes> = {
  getBoard: {
    tag: 'Live board',
    summary: 'Return the state of a race',
    description: `
Returns what the live board of an event shows: the event, whether its results are official, and of each race the counts,
the last arrivals and the leaders.

${ABOUT}`.trim(),
    answer: { status: 200, description: 'The event and its races.', schema: Board },
    errors,
  },
  listBoardResults: {
    tag: 'Live board',
    summary: 'List the results on the board',
    description: `
Lists the results as the live board shows them: finishers by time, then the others by status and bib. Filters must match
exactly. A place counts within the distance; with \`gender\` within the gender, and with \`category\` within the
category of the gender.

${ABOUT}`.trim(),
    answer: { status: 200, description: 'A page of results.', listOf: BoardEntry },
    errors: {
      ...errors,
      400: { distance: 'distance: expected a text without NUL characters, not "\\u0000".' },
    },
  },
  getBoardRunner: {
    tag: 'Live board',
    summary: 'Return a runner on the board',
    description: `
Returns a runner with times, places, splits and the changes of the result. It finds exactly this bib, or else one that
differs in its case, in a \`#\` or in leading zeros.

${ABOUT}`.trim(),
    answer: { status: 200, description: 'The runner.', schema: BoardResult },
    errors: { 404: { ...errors[404], runner: notOnBoard().message } },
  },
  listBoardPoints: {
    tag: 'Live board',
    summary: 'List the points on the board',
    description: `
Lists the timing points of each race before the finish, in the order of the course: how many have passed, the fastest
ones and the latest ones.

${ABOUT}`.trim(),
    answer: { status: 200, description: 'A page of points.', listOf: OpenPoint },
    errors,
  },
};
