import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { startInProcess } from '../../testing/runtime/command.ts';
import { COMMANDS } from './arguments.ts';

const cwd = tmpdir();
const run = (line: string, env: Record<string, string> = {}) =>
  startInProcess(line.split(' '), { cwd, env }).ended;

test('O01 O02 O03: help of a command has examples, by each name', async () => {
  for (const name of Object.keys(COMMANDS)) {
    const [asked, flag, short] = await Promise.all([
      run(`help ${name}`),
      run(`${name} --help`),
      run(`${name} -h`),
    ]);
    expect(asked).toMatchObject({ exitCode: 0, stdout: flag.stdout, stderr: '' });
    expect(short.stdout).toBe(flag.stdout);
    const isWithExample = new RegExp(`\\n  race-results ${name}\\b`).test(asked.stdout);
    expect([name, isWithExample]).toEqual([name, true]);
  }
  const { stdout: version } = await run('--version');
  expect((await run('-V')).stdout).toBe(version);
  expect(JSON.parse((await run('-V --json')).stdout)).toMatchObject({ version: version.trim() });
  expect((await run('help')).stdout).toBe((await run('--help')).stdout);
});

test('O04 O05 O11: a misspelt command or flag names the near one, and a key is no argument', async () => {
  expect(await run('wacth r.csv')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Did you mean watch?'),
  });
  expect(await run('check r.csv --pont x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Did you mean --point?'),
  });
  const key = await run('status --api er_live_0123456789');
  expect(key).toMatchObject({ exitCode: 2, stderr: expect.not.stringContaining('0123456789') });
});

test('O09 O10: an address without a scheme gets a proposal, and http needs a flag outside of this computer', async () => {
  const env = { RACE_RESULTS_EVENT: 'e', XDG_CONFIG_HOME: cwd };
  for (const [address, proposal] of [
    ['localhost:8914', 'http://localhost:8914'],
    ['127.0.0.1:8914', 'http://127.0.0.1:8914'],
    ['races.example.com', 'https://races.example.com'],
  ]) {
    const { exitCode, stderr } = await run(`status --api ${address}`, env);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`Did you mean ${proposal}?`)]);
  }
  const refused = await run('status --api http://192.168.1.7:8914', env);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--insecure')]);
  // The next missing thing is the key.
  expect((await run('status --api http://192.168.1.7:8914 --insecure', env)).exitCode).toBe(5);
});

test('O08: bash completes commands and flags', async () => {
  const { stdout } = await run('completion bash');
  const complete = (line: string) => {
    const words = line.split(' ');
    const script = `${stdout}\nCOMP_LINE='${line}' COMP_CWORD=${words.length - 1}
_race_results race-results '${words.at(-1)}'\necho "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim();
  };
  expect(complete('race-results wa')).toBe('watch');
  expect(complete('race-results check --poi')).toBe('--point');
  for (const shell of ['zsh', 'fish']) {
    const script = (await run(`completion ${shell}`)).stdout;
    for (const name of Object.keys(COMMANDS)) expect(script).toContain(name);
  }
  expect((await run('completion tcsh')).exitCode).toBe(2);
});
