import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('N24: never waits for a reader that is frozen, and shows everything later', async () => {
  const script = `
    const { openScreen } = await import(${JSON.stringify(join(import.meta.dirname, 'screen.ts'))});
    const screen = openScreen(process);
    for (let line = 0; line < 3000; line++) screen.stdout.write(line + ' '.repeat(100) + '\\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.stderr.write('alive');
    await screen.end(20_000);`;
  // A pipe takes 64 KiB, and its reader wakes up when it is told to.
  const line = '"$0" --input-type=module -e "$1" | (read go <&3; cat)';
  const child = spawn('sh', ['-c', `exec 3<&0; ${line}`, process.execPath, script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes('alive')) child.stdin.end('go\n');
  });
  await once(child, 'close');
  expect(said).toContain('alive');
  expect(shown.trim().split(/\s+/)).toEqual(Array.from({ length: 3_000 }, (_, line) => `${line}`));
});
