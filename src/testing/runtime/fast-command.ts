import { runProcess } from '../../cli/process.ts';

// The output is shown as in a terminal of so many columns.
const { TERMINAL_COLUMNS } = process.env;
if (TERMINAL_COLUMNS) {
  Object.assign(process.stdout, { isTTY: true, columns: Number(TERMINAL_COLUMNS) });
}

// The real command, at a pace short enough for a test. At a third of a second, a `watch` with the start list leaves
// half of the requests of its API key in a minute.
void runProcess({ settleMs: 100, everyMs: 333 });
