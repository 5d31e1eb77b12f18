import { runProcess } from '../../cli/process.ts';

// The command as it is, at a pace that a test can wait for.
void runProcess({ settleMs: 100, everyMs: 100 });
