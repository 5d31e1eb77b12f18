import { expect, test } from 'vitest';
import { difference, NO_FILES } from '../queue/difference.ts';
import { viewOf } from './view.ts';

test.each([
  [9, 'OK'],
  [10, 'QUIET'],
])('S05: after %i minutes without a change, the state is %s', (unchangedMinutes, state) => {
  const nothing = { acknowledged: new Map(), decisions: new Map(), given: new Map() };
  const view = viewOf({
    difference: difference({ ...NO_FILES, ...nothing, held: new Map() }),
    store: { request: undefined },
    ...{ sources: new Map(), stops: new Map(), unread: 0, isCompared: true },
    live: { unchangedMinutes },
  });
  expect(view.state).toBe(state);
});
