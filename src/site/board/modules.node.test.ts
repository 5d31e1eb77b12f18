import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE } from '../../worker/board/page.ts';
import { modulesOf } from '../modules.ts';

test('preloads every module of the board', () => {
  const site = mkdtempSync(join(tmpdir(), 'board-'));
  try {
    for (const part of ['board', 'shared']) {
      cpSync(join(import.meta.dirname, '..', part, 'public'), site, { recursive: true });
    }
    const [, ...modules] = modulesOf(site, 'board/board.js').map((path) => `/${path}`);
    const preloaded = [...PAGE.matchAll(/rel="modulepreload" href="([^"]+)"/g)];
    expect(preloaded.map(([, path]) => path).sort()).toEqual(modules.sort());
  } finally {
    rmSync(site, { recursive: true });
  }
});
