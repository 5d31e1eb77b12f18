import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { deliver } from '../../queue/deliver.ts';
import { heldBack, heldBibs, loadState } from '../../queue/state.ts';
import type { Context } from '../context.ts';

/** Ends a hold, and lets a row pass that is held back. What the file says counts again. */
export async function release({ settings, output, signal }: Context): Promise<ExitCode> {
  const { operand: bib } = settings;
  const { state } = await loadState(settings.stateDir, settings.eventId);
  const held = [...heldBibs(state), ...heldBack(state)];
  if (!held.includes(bib)) {
    output.answer('not_held', { bib, held: held.length === 0 ? '-' : held });
    return EXIT.done;
  }
  await deliver(settings, { type: 'release', bib }, [bib], signal);
  output.answer('released', { bib });
  return EXIT.done;
}
