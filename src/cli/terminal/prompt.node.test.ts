import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createPrompter } from './prompt.ts';

/** A terminal that types each answer when its question is shown. */
function terminal(...answers: [question: string, typed: string][]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  let from = 0;
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [question, typed] = answers[0] ?? [];
    const at = question === undefined ? -1 : shown.indexOf(question, from);
    if (at < 0 || typed === undefined) return;
    from = shown.length;
    answers.shift();
    input.write(typed);
  });
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('interrupted'));
  const options = { isJson: false, signal: stop.signal, interrupt };
  return {
    prompter: createPrompter(options, { input, output }),
    shown: () => shown,
    options,
    input,
    output,
  };
}

test('takes only y and yes for a yes', async () => {
  const { prompter } = terminal(['A?', 'y\r'], ['B?', 'YES\r'], ['C?', '\r'], ['D?', 'yeah\r']);
  const answers = [];
  for (const question of ['A?', 'B?', 'C?', 'D?']) answers.push(await prompter.confirm(question));
  expect(answers).toEqual([true, true, false, false]);
});

test('gives the preset for Enter alone', async () => {
  const { prompter } = terminal(['Address?', '\r'], ['Address?', 'http://b\r']);
  expect(await prompter.text('Address?', 'http://a')).toBe('http://a');
  expect(await prompter.text('Address?', 'http://a')).toBe('http://b');
});

test('does not show a secret, also after other questions', async () => {
  const { prompter, shown } = terminal(
    ['Address?', 'http://a\r'],
    ['Key?', 'er_live_x\r'],
    ['Sure?', 'y\r'],
  );
  await prompter.text('Address?');
  expect(await prompter.secret('Key?')).toBe('er_live_x');
  await prompter.confirm('Sure?');
  expect(shown()).toContain('http://a');
  expect(shown()).not.toContain('er_live_x');
});

test('asks again until one of the lines is chosen', async () => {
  const { prompter, shown } = terminal(['Which?', '3\r'], ['Which?', 'one\r'], ['Which?', '2\r']);
  expect(await prompter.choose('Which?', ['first', 'second'])).toBe(1);
  expect(shown()).toContain('  2  second\n');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('ends a question after %s with the reason of the signal', async (_, typed) => {
  const { prompter } = terminal(['Sure?', typed]);
  await expect(prompter.confirm('Sure?')).rejects.toThrow('interrupted');
  await expect(prompter.confirm('Sure?')).rejects.toThrow('interrupted');
});

test('asks nobody without a terminal, and nobody under --json', () => {
  const { options, input, output } = terminal();
  expect(createPrompter(options, { input, output }).canAsk).toBe(true);
  expect(createPrompter({ ...options, isJson: true }, { input, output }).canAsk).toBe(false);
  expect(createPrompter(options, { input: new PassThrough(), output }).canAsk).toBe(false);
  expect(createPrompter(options, { input, output: new PassThrough() }).canAsk).toBe(false);
});
