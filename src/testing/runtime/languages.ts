import { spawnSync } from 'node:child_process';

const PROGRAMS = [
  ['php', '-r', 'curl_init();'],
  ['python3', '-c', 'import requests, cryptography'],
] as const;

/** @throws Error if the languages of the guides are not on this machine. The error says which program to install */
export function requireLanguages(): void {
  const starts = ([program, ...words]: readonly string[]) =>
    program !== undefined && spawnSync(program, words).status === 0;
  if (PROGRAMS.every(starts)) return;
  throw new Error(
    'The samples of the guides need PHP and Python: apt-get install php-cli php-curl python3-requests python3-cryptography',
  );
}
