import { deleteOrganizationEventPassings } from '../client/operations/delete-organization-event-passings.ts';
import { listOrganizationEventPassingPoints } from '../client/operations/list-organization-event-passing-points.ts';
import { byId, copyOf, DOT, element, keyed, write } from '../shared/dom.ts';
import { all, type PassingPoint } from './api.ts';
import { askToConfirm, closeConfirmation } from './dialogs.tsx';
import { isolated, shortTime, textOfParts as text } from './formats.ts';
import { nameActions, wireActions } from './lists.ts';
import { announce, attempt, type Page, say } from './page.ts';

const list = byId('point-list', HTMLUListElement);
const message = byId('points-message', HTMLElement);

const tell = (words: string) => say(message, words);

/** The points of the course: how many have passed each, and the way to take one back. */
export function createPoints(page: Page) {
  let eventId = '';
  let points: PassingPoint[] = [];

  const items = () => points.map((point) => ({ ...point, id: point.point }));

  wireActions(list, items, {
    undo: ({ point }, _, button) => void attempt(button, tell, () => takeBack(point)),
  });

  /** Loads the points. */
  async function show(race: string) {
    if (race !== eventId) clear();
    eventId = race;
    const loaded = await page.run(({ client, organization }) =>
      all(listOrganizationEventPassingPoints(client, organization, race)),
    );
    if (eventId !== race) return;
    points = loaded;
    render();
  }

  function render() {
    byId('course-points', HTMLElement).hidden = points.length === 0;
    keyed(
      list,
      items(),
      ({ id }) => id,
      () => copyOf('point-row', text),
      (item, { point, total, fastest_time }) => {
        write(item, {
          strong: point,
          '.facts': [
            text('passed', { count: total }),
            text('fastest', { time: shortTime(fastest_time) }),
          ].join(DOT),
        });
        nameActions(item, { undo: text('undoNamed', { what: point }) });
      },
    );
    byId('points', HTMLDataListElement).replaceChildren(
      ...points.map(({ point }) => element('option', { value: point })),
    );
  }

  /** Asks how many times would go, then the reader, and takes the point back. */
  async function takeBack(point: string, done = async () => {}) {
    const of = eventId;
    const { removed } = await page.run(({ client, organization }) =>
      deleteOrganizationEventPassings(client, organization, of, point, { dryRun: true }),
    );
    askToConfirm({
      title: text('undoPointTitle'),
      name: point,
      code: '',
      facts: '',
      what: text('undoPointWhat', { count: removed }),
      intro: '',
      points: [],
      after: text('undoPointAfter'),
      accept: text('undoPoint'),
      isDanger: true,
      work: async () => {
        await page.run(({ client, organization }) =>
          deleteOrganizationEventPassings(client, organization, of, point),
        );
        closeConfirmation();
        announce(text('undone', { what: isolated(point) }));
        await done();
        await show(of);
      },
      unsure: text('undoUnsure'),
    });
  }

  return { show, render, takeBack, clear };

  function clear() {
    eventId = '';
    points = [];
    tell('');
    render();
  }
}

export type Points = ReturnType<typeof createPoints>;
