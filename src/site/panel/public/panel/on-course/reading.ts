import { getOrganizationEventOnCourse } from '../../client/operations/get-organization-event-on-course.ts';
import type { Session } from '../kit.tsx';
import type { Ask } from './pages.ts';

/** The most rows of a page. */
const PAGE_ROWS = 100;

/** Asks who is on the course of a race. */
export const asking =
  ({ run }: Pick<Session, 'run'>, race: string): Ask =>
  (query) =>
    run(({ client, organization }) =>
      getOrganizationEventOnCourse(client, organization, race, { page_size: PAGE_ROWS, ...query }),
    );
