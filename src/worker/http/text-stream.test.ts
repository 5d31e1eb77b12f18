import { expect, test } from 'vitest';
import { createTurns } from '../gate/turns.ts';
import { streamText } from './text-stream.ts';

/** The length of a piece, or more. */
const ROWS = 'x'.repeat(65_536);

/** Makes a text of three pieces, each in two steps, and writes down when a step begins and ends. */
async function* textOf(name: string, steps: string[]): AsyncGenerator<string, void> {
  for (let pieces = 0; pieces < 3; pieces++) {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    steps.push(`${name} ends`);
    yield ROWS;
  }
}

test('makes one piece at a time of all long answers of a sender', async () => {
  const pieces = createTurns({ total: 4, each: 1 });
  const steps: string[] = [];
  const read = async (name: string) => {
    const nextPiece = () => pieces.wait('a');
    const stream = streamText(textOf(name, steps), { release: () => {}, nextPiece });
    return (await new Response(stream).text()).length;
  };
  const lengths = await Promise.all(['first', 'second', 'third'].map(read));
  expect(lengths).toEqual([3, 3, 3].map((count) => count * ROWS.length));
  const begun = steps.filter((_, at) => at % 2 === 0);
  expect(steps).toEqual(begun.flatMap((step) => [step, step.replace('begins', 'ends')]));
});
