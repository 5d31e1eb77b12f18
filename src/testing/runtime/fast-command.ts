import { runProcess } from '../../cli/process.ts';

// The output is shown as in a terminal of so many columns.
const { TERMINAL_COLUMNS } = process.env;
if (TERMINAL_COLUMNS) {
  Object.assign(process.stdout, { isTTY: true, columns: Number(TERMINAL_COLUMNS) });
}

// The command as it is, at a pace that a test can wait for. At a third of a second, a `watch` that follows the start
// list leaves half of the requests that its API key has in a minute.
void runProcess({ settleMs: 100, everyMs: 333 });
