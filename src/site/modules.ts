import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The modules that an entry module loads at once, with itself first: the static imports, followed.
 * @param folder where the paths start
 */
export function modulesOf(folder: string, entry: string): string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const source = readFileSync(join(folder, path), 'utf8');
    for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) {
      follow(join(dirname(path), imported));
    }
  };
  follow(entry);
  return [...found];
}

/** Links that make the browser fetch all modules at once. */
export const preloadLinks = (paths: readonly string[]): string =>
  paths.map((path) => `<link rel="modulepreload" href="/${path}">`).join('\n    ');
