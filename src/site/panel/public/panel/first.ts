import { addressOf } from '../client/address.ts';
import { request as getOrganization } from '../client/operations/get-organization.ts';
import { request as getOrganizationEvent } from '../client/operations/get-organization-event.ts';
import { request as listApiKeys } from '../client/operations/list-api-keys.ts';
import { request as listOrganizationEventRunners } from '../client/operations/list-organization-event-runners.ts';
import { request as listOrganizationEvents } from '../client/operations/list-organization-events.ts';
import { request as listOrganizationOfficialResults } from '../client/operations/list-organization-official-results.ts';
import { partInAddress, raceInAddress, runnersQuery, viewInAddress } from './address.ts';
import { askEarly } from './request.ts';

/** As long as the page waits for an answer. */
const TIMEOUT_MS = 20_000;

/** The first page of a list for reading to the end. */
const FIRST = { page: 1, page_size: 100 };

/** Sends all requests of the first view at once. */
export function askFirst({ organization, token }: { organization: string; token: string }) {
  const race = raceInAddress();
  const addresses = [
    // The longest answers first: a browser may send no more than six requests at once.
    ...(viewInAddress() === 'keys' ? [addressOf(listApiKeys.path, [organization], FIRST)] : []),
    ...(race
      ? addressesOfRace([organization, race])
      : [addressOf(listOrganizationEvents.path, [organization], FIRST)]),
    addressOf(getOrganization.path, [organization]),
  ];
  askEarly(token, addresses, TIMEOUT_MS);
}

const addressesOfRace = (ids: string[]) => [
  ...(partInAddress() === 'results'
    ? [addressOf(listOrganizationEventRunners.path, ids, runnersQuery('', 1))]
    : []),
  addressOf(getOrganizationEvent.path, ids),
  addressOf(listOrganizationOfficialResults.path, ids, FIRST),
];
