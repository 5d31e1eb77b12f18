import { apiKeyProse } from '../../worker/api-keys/operations.ts';
import { PAIRS, routes } from '../../worker/app.ts';
import { openBoardProse } from '../../worker/board/open-operations.ts';
import { hiddenDistanceProse, hiddenNameProse } from '../../worker/board/panel-operations.ts';
import { courseProse, organizationCourseProse } from '../../worker/course/operations.ts';
import { eventProse } from '../../worker/events/operations.ts';
import { organizationEventProse } from '../../worker/events/panel-operations.ts';
import {
  type OperationIdOf,
  operationsOf,
  type Prose,
  type RoutedOperation,
  type Tag,
} from '../../worker/http/documentation.ts';
import type { Shaped } from '../../worker/http/endpoint.ts';
import { CONTRACT } from '../../worker/http/turn.ts';
import { organizationProse } from '../../worker/organizations/operations.ts';
import { participantProse, startListProse } from '../../worker/participants/operations.ts';
import { organizationPassingProse, passingProse } from '../../worker/passings/operations.ts';
import { rankingProse } from '../../worker/ranking/operations.ts';
import { resultBatchProse } from '../../worker/results/batches/operations.ts';
import {
  officialResultProse,
  organizationOfficialProse,
} from '../../worker/results/official/operations.ts';
import type { Pair } from '../../worker/results/pair.ts';
import type { KeyProseOf, PanelProse, PanelProseOf } from '../../worker/results/pair-operations.ts';
import { organizationResultProse } from '../../worker/results/panel-operations.ts';
import { resultReadProse } from '../../worker/results/read/operations.ts';
import { uploadProse } from '../../worker/results/upload/operations.ts';
import { statsProse } from '../../worker/stats/operations.ts';

type ProseOfAll = Record<OperationIdOf<typeof routes>, Prose> &
  KeyProseOf<typeof PAIRS> &
  PanelProseOf<typeof PAIRS>;

/** The id of an operation. An id that no route has does not compile. */
export type OperationId = keyof ProseOfAll;

CONTRACT satisfies readonly OperationId[];

/** The operations of the API, each with its prose. The reference follows this order. */
const PROSE: ProseOfAll = {
  ...eventProse,
  ...participantProse,
  ...startListProse,
  ...statsProse,
  ...courseProse,
  ...passingProse,
  ...resultReadProse,
  ...officialResultProse,
  ...uploadProse,
  ...resultBatchProse,
  ...openBoardProse,
  ...organizationProse,
  ...organizationEventProse,
  ...rankingProse,
  ...organizationCourseProse,
  ...organizationResultProse,
  ...organizationPassingProse,
  ...organizationOfficialProse,
  ...hiddenNameProse,
  ...hiddenDistanceProse,
  ...apiKeyProse,
};

const namesOf = (query: (() => Shaped) | undefined): string =>
  Object.keys(query?.().shape ?? {})
    .sort()
    .join();

/** An operation, from its route and its prose. */
export type Operation = RoutedOperation & Prose;

/** Every documented operation, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = inOrder(operationsOf(routes), PROSE);

/** @throws Error if an id has no single route, or if its prose describes a query that the route does not read */
function inOrder(
  routed: readonly RoutedOperation[],
  prose: Readonly<Record<string, Prose | PanelProse>>,
): Operation[] {
  return Object.entries(prose).map(([id, written]) => {
    const words = typeof written === 'object' ? written : inPanel(id, written, prose);
    const [operation, another] = routed.filter((one) => one.id === id);
    if (!operation || another) throw new Error(`The operation ${id} has not one route.`);
    if (words.query && namesOf(words.query) !== namesOf(operation.query)) {
      throw new Error(`The prose of ${id} describes another query than its route reads.`);
    }
    return { ...operation, ...words };
  });
}

function pairOf(id: string): Pair | undefined {
  return PAIRS.find(({ ids }) => ids.member === id);
}

/** The id of the operation for keys behind an operation of the panel, or the given id. */
export const idOfKeys = (id: string): string => pairOf(id)?.ids.key ?? id;

/** @throws Error if the operation has no pair */
function inPanel(
  id: string,
  make: PanelProse,
  prose: Readonly<Record<string, Prose | PanelProse>>,
): Prose {
  const pair = pairOf(id);
  const ofKeys = pair && prose[pair.ids.key];
  if (!pair || typeof ofKeys !== 'object') throw new Error(`The operation ${id} has no pair.`);
  return make(pair, ofKeys);
}

export const TAGS: Record<Tag, string> = {
  Events: 'The events of your organization.',
  Course: 'The starts and the timing points of an event.',
  'Panel course': 'The starts and the timing points of an event, from the panel.',
  Participants: 'The registrations of an event. They hold personal data.',
  Statistics: 'Counts of the registrations of an event.',
  Passings: 'What timing points before the finish saw: runners on the course.',
  'Passing files': 'The times of one point, from the file of a timing program.',
  Results: 'The results of an event, with their positions.',
  'Official results':
    'Signed versions of the results, which anybody can check. The panel makes them.',
  Uploads: 'Upload race results as JSON or as the file of a timing program.',
  'Upload history': 'What each upload changed. An upload can be taken back.',
  'Live board':
    'The data of the live board of an event, for pages of any site. These operations need no key.',
  Organization: 'The organization and the live boards of its events, managed from its panel.',
  'Panel board': 'Names that the live board of an event does not show, managed from the panel.',
  'Panel results': 'Runners and their results, managed from the panel.',
  'Panel history': 'What each upload changed, and how a result came about, managed from the panel.',
  'Panel uploads': 'Files of results that an organizer sends from the panel.',
  'Panel passings': 'The points of a course and their files, managed from the panel.',
  'API keys': 'The API keys of an organization, managed from its panel.',
};
