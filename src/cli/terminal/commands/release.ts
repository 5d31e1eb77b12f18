import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { deliver } from '../../queue/deliver.ts';
import { heldBibs, loadState } from '../../queue/state.ts';
import { named, say } from '../../words.ts';
import type { Context } from '../context.ts';

/** Ends a hold, and lets a row pass that is held back. What the file says counts again. */
export async function release({ settings, output, signal }: Context): Promise<ExitCode> {
  const { stateDir, eventId, operand: bib } = settings;
  const { state } = await loadState(stateDir, eventId);
  const wasHeld = state.decisions.get(bib)?.isHeld === true || state.heldBack.has(bib);
  if (!wasHeld) {
    const held = [...heldBibs(state), ...state.heldBack.keys()];
    const list = held.length === 0 ? say('none') : named(held);
    output.answer(
      { type: 'release', bib_number: bib, was_held: false },
      say('bib_is_not_held_held', { bib, list }),
    );
    return EXIT.done;
  }
  const { waiting } = await deliver(settings, { type: 'release', bib }, [bib], signal);
  const later = waiting === undefined ? '' : ` ${say('waiting')}: ${waiting}.`;
  output.answer(
    { type: 'release', bib_number: bib, was_held: true, waiting: waiting ?? null },
    say('bib_is_released_the_files', { bib, later }),
  );
  return waiting === undefined ? EXIT.done : EXIT.offline;
}
