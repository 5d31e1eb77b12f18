import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openUser } from './user.ts';

test('is one user for commands that start at the same moment', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'user-')) };
    const users = await Promise.all([openUser(env), openUser(env), openUser(env)]);
    expect(new Set(users.map(({ secret }) => secret)).size).toBe(1);
  }
});
