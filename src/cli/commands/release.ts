import type { Context } from '../context.ts';
import { deliver } from '../deliver.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readState } from '../state.ts';

/** Ends a hold. What the file says counts again, as soon as it is read. */
export async function release(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, operand: bib } = settings;
  const state = await readState(stateDir);
  if (!state.held.has(bib)) {
    const held = [...state.held.keys()];
    const list = held.length === 0 ? 'No bib is held.' : `Held: ${held.join(', ')}.`;
    output.answer(
      { type: 'release', bib_number: bib, was_held: false },
      `bib ${bib} is not held. ${list}`,
    );
    return EXIT.done;
  }
  await deliver(context, { type: 'released', bib });
  output.answer(
    { type: 'release', bib_number: bib, was_held: true },
    `bib ${bib} is released. The next reading of the file by watch or send decides about it.`,
  );
  return EXIT.done;
}
