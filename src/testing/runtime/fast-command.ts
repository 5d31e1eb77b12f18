import { runProcess } from '../../cli/process.ts';

// The output is shown as in a terminal of so many columns.
const { TERMINAL_COLUMNS } = process.env;
if (TERMINAL_COLUMNS) {
  Object.assign(process.stdout, { isTTY: true, columns: Number(TERMINAL_COLUMNS) });
}

// The command as it is, at a pace that a test can wait for.
void runProcess({ settleMs: 100, everyMs: 100 });
