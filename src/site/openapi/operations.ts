import { apiKeyOperations } from '../../worker/api-keys/operations.ts';
import { hiddenNameOperations } from '../../worker/board/panel-operations.ts';
import { eventOperations } from '../../worker/events/operations.ts';
import { organizationEventOperations } from '../../worker/events/panel-operations.ts';
import type { Operation, Tag } from '../../worker/http/documentation.ts';
import { organizationOperations } from '../../worker/organizations/operations.ts';
import { participantOperations } from '../../worker/participants/operations.ts';
import {
  organizationPassingOperations,
  passingOperations,
} from '../../worker/passings/operations.ts';
import { resultBatchOperations } from '../../worker/results/batches/operations.ts';
import {
  officialResultOperations,
  organizationOfficialOperations,
} from '../../worker/results/official/operations.ts';
import { organizationResultOperations } from '../../worker/results/panel-operations.ts';
import { resultReadOperations } from '../../worker/results/read/operations.ts';
import { uploadOperations } from '../../worker/results/upload/operations.ts';
import { statsOperations } from '../../worker/stats/operations.ts';

/** Every documented operation, in the order in which the reference shows them. */
export const OPERATIONS: readonly Operation[] = [
  ...eventOperations,
  ...participantOperations,
  ...statsOperations,
  ...passingOperations,
  ...resultReadOperations,
  ...officialResultOperations,
  ...uploadOperations,
  ...resultBatchOperations,
  ...organizationOperations,
  ...organizationEventOperations,
  ...organizationResultOperations,
  ...organizationPassingOperations,
  ...organizationOfficialOperations,
  ...hiddenNameOperations,
  ...apiKeyOperations,
];

export const TAGS: Record<Tag, string> = {
  Events: 'The events of your organization.',
  Participants: 'The registrations of an event. They hold personal data.',
  Statistics: 'Counts of the registrations of an event.',
  Passings: 'What timing points before the finish saw: runners on the course.',
  'Passing files': 'The times of one point, from the file of a timing program.',
  Results: 'The results of an event, with their positions.',
  'Official results':
    'Signed versions of the results, which anybody can check. The panel makes them.',
  Uploads: 'Upload race results as JSON or as the file of a timing program.',
  'Upload history': 'What each upload changed. An upload can be taken back.',
  Organization: 'The organization and the live boards of its events, managed from its panel.',
  'Panel results': 'Runners, their results and hidden names, managed from the panel.',
  'Panel history': 'What each upload changed, and how a result came about, managed from the panel.',
  'Panel uploads': 'Files of results that an organizer sends from the panel.',
  'Panel passings': 'The points of a course and their files, managed from the panel.',
  'API keys': 'The API keys of an organization, managed from its panel.',
};
