import { addressOf } from '../client/address.ts';
import { request as getOrganization } from '../client/operations/get-organization.ts';
import { request as getOrganizationEvent } from '../client/operations/get-organization-event.ts';
import { request as getOrganizationEventOnCourse } from '../client/operations/get-organization-event-on-course.ts';
import { request as getOrganizationEventPoints } from '../client/operations/get-organization-event-points.ts';
import { request as listApiKeys } from '../client/operations/list-api-keys.ts';
import { request as listOrganizationEventPassingPoints } from '../client/operations/list-organization-event-passing-points.ts';
import { request as listOrganizationEventRunners } from '../client/operations/list-organization-event-runners.ts';
import { request as listOrganizationEvents } from '../client/operations/list-organization-events.ts';
import { request as listOrganizationOfficialResults } from '../client/operations/list-organization-official-results.ts';
import { request as listOrganizationPassingUploads } from '../client/operations/list-organization-passing-uploads.ts';
import { request as listOrganizationResultBatches } from '../client/operations/list-organization-result-batches.ts';
import {
  partInAddress,
  type RacePart,
  raceInAddress,
  runnersQuery,
  viewInAddress,
} from './address.ts';
import { askEarly } from './request.ts';

/** As long as the page waits for an answer. */
const TIMEOUT_MS = 20_000;

/** The first page of a list for reading to the end. */
const FIRST = { page: 1, page_size: 100 };

/** The first requests of each part of a race. */
const FIRST_OF_PART: Record<RacePart, readonly (readonly [{ path: string }, () => object])[]> = {
  results: [
    [listOrganizationEventRunners, () => runnersQuery('', 1)],
    [getOrganizationEventPoints, () => ({})],
  ],
  uploads: [
    [listOrganizationResultBatches, () => ({ page: 1 })],
    [listOrganizationPassingUploads, () => ({ page: 1 })],
    [listOrganizationEventPassingPoints, () => FIRST],
  ],
  course: [[getOrganizationEventOnCourse, () => ({ page_size: 100, page: 1 })]],
  speaker: [[getOrganizationEventOnCourse, () => ({ page_size: 100 })]],
  board: [],
  settings: [],
};

/** Sends all requests of the first view at once. */
export function askFirst({ organization, token }: { organization: string; token: string }) {
  const race = raceInAddress();
  const addresses = [
    // A browser may send no more than six requests at once: the whole page waits for the first answers.
    addressOf(getOrganization.path, [organization]),
    ...(race
      ? addressesOfRace([organization, race])
      : [addressOf(listOrganizationEvents.path, [organization], FIRST)]),
    ...(viewInAddress() === 'keys' ? [addressOf(listApiKeys.path, [organization], FIRST)] : []),
  ];
  askEarly(token, addresses, TIMEOUT_MS);
}

const addressesOfRace = (ids: string[]) => [
  addressOf(getOrganizationEvent.path, ids),
  ...FIRST_OF_PART[partInAddress()].map(([{ path }, query]) => addressOf(path, ids, query())),
  addressOf(listOrganizationOfficialResults.path, ids, FIRST),
];
