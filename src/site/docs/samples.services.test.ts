import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../dev/stack/listen.ts';
import { newSigningKeys } from '../../dev/stack/signing-keys.ts';
import { requireLanguages } from '../../testing/runtime/languages.ts';
import { createSigner } from '../../worker/auth/signing.ts';
import { FACTS } from '../facts.ts';
import { fill } from '../fill.ts';
import { referencePages } from './reference.ts';
import { LANGUAGES, REQUEST_BLOCK, readRequest } from './request-samples.ts';

const run = promisify(execFile);

const FILE = 'bib,time\n17,1:28:03\n';
const ANSWER = '{"answered":true}';
const VALUES: Record<string, string> = {
  KEY: 'er_live_1',
  SESSION: 'a.b.c',
  EVENT: 'e1',
  BATCH: 'b1',
  ID: 'i1',
  ETAG: 'W/17',
};

/** How the program of a language is started. Node strips the types of TypeScript. */
const COMMANDS: Record<string, [end: string, command: string, ...arguments_: string[]]> = {
  sh: ['sh', 'bash', '--norc', '-eu'],
  ts: ['mts', process.execPath, '--experimental-strip-types', '--no-warnings'],
  python: ['py', 'python3'],
  php: ['php', 'php'],
};

/** A request, without the headers that each client adds. */
type Sent = { request: string; headers: [string, unknown][]; body: unknown };

const NAMED = ['x-api-key', 'authorization', 'if-none-match', 'x-request-id', 'idempotency-key'];

async function recorded(request: IncomingMessage): Promise<Sent> {
  const { method, url, headers } = request;
  const content = new Uint8Array(await buffer(request));
  const type = headers['content-type'] ?? '';
  const isJson = type === 'application/json';
  const answer = new Response(content, { headers: { 'Content-Type': type } });
  const file = type.startsWith('multipart/') && (await answer.formData()).get('file');
  return {
    request: `${method} ${url}`,
    headers: NAMED.flatMap((name) => (name in headers ? [[name, headers[name]]] : [])),
    body: isJson
      ? await answer.json()
      : file instanceof File
        ? { name: file.name, form: await file.text() }
        : content.length > 0
          ? { type, text: await answer.text() }
          : undefined,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'samples-'));
let server: Server;
let origin: string;
let received: Sent[] = [];

beforeAll(async () => {
  requireLanguages();
  server = createServer(async (request, response) => {
    received.push(await recorded(request));
    response.end(ANSWER);
  });
  origin = `http://127.0.0.1:${await listen(server)}`;
});

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every request of the guides and of the reference. */
const GUIDES = join(import.meta.dirname, 'guides');
// The list of guides and the picture on the start page hold no request.
const facts = { ...FACTS, guides: '', board: '' };
const texts = [
  ...globSync('**/*.md', { cwd: GUIDES }).map((name) =>
    fill(readFileSync(join(GUIDES, name), 'utf8'), facts),
  ),
  ...referencePages().map(({ markdown }) => markdown),
];
const requests = texts.flatMap((text) =>
  [...text.matchAll(REQUEST_BLOCK)].map(
    ([, info = '', text = '']) => [text.split('\n')[0], text, info] as const,
  ),
);

describe('the programs of the guide about official results', () => {
  const guide = readFileSync(join(GUIDES, 'official.md'), 'utf8');
  const programs = [...guide.matchAll(/^```(python|php) (\S+)\n([\s\S]+?)^```$/gm)].map(
    ([, language = '', name = '', text = '']) => ({ language, name, text }),
  );
  const document = '{"bib_number":"17","chip_time":"01:28:03.512"}\n';
  let version: string;

  beforeAll(async () => {
    const signer = createSigner({ SIGNING_KEYS: newSigningKeys() });
    const signature = await signer.sign('official-results', {
      digest: createHash('sha256').update(document).digest('hex'),
      rows: 1,
      event: { name: 'Harbour Half' },
      organization: { name: 'Harbour Club' },
    });
    version = `${JSON.stringify({ signature })}\n${document}`;
    writeFileSync(join(folder, 'jwks.json'), JSON.stringify(signer.publicKeys()));
    const [kid] = signer.publicKeys().keys.map((key) => key.kid);
    const other = JSON.parse(newSigningKeys());
    Object.assign(other.keys[0], { kid });
    writeFileSync(join(folder, 'other.json'), JSON.stringify(other));
  });

  test('are there', () => {
    expect(programs.map(({ language }) => language)).toEqual(['python', 'php']);
  });

  test.each(programs)(
    'accept what was signed, and nothing else: $name',
    async ({ language, name, text }) => {
      writeFileSync(join(folder, name), text);
      const check = async (content: string, keys = 'jwks.json') => {
        writeFileSync(join(folder, 'version.jsonl'), content);
        const [, command = ''] = COMMANDS[language] ?? [];
        return run(command, [name, 'version.jsonl', keys], { cwd: folder }).then(
          ({ stdout }) => stdout.trim(),
          ({ stderr, stdout }: { stderr: string; stdout: string }) => `failed: ${stderr}${stdout}`,
        );
      };
      expect(await check(version)).toBe('Harbour Club · Harbour Half · 1 results');
      expect(await check(version.replace('03.512', '02.512'))).toMatch(/^failed: .*not those/s);
      expect(await check(version.trimEnd())).toMatch(/^failed: .*not those/s);
      expect(await check(version, 'other.json')).toMatch(/^failed: .*(InvalidSignature|is wrong)/s);
      const stated = version.replace(/\.(\w)/, (_, letter) => `.${letter === 'e' ? 'f' : 'e'}`);
      expect(await check(stated)).toMatch(/^failed: .*(InvalidSignature|is wrong)/s);
    },
  );
});

test('finds the requests of the guides and of the reference', () => {
  expect(requests.length).toBeGreaterThan(50);
});

describe.each(Object.keys(LANGUAGES))('the samples in %s', (language) => {
  test.each(requests)('send the request as described: %s', async (_, description, info) => {
    const request = readRequest(description, info);
    if (request.file) writeFileSync(join(folder, request.file), FILE);
    const code = LANGUAGES[language]?.write(request) ?? '';
    const [end = '', command = '', ...flags] = COMMANDS[language] ?? [];
    const program = join(folder, `sample.${end}`);
    const filled = { API: origin, ...VALUES };
    writeFileSync(
      program,
      code.replaceAll(/\$([A-Z]+)\b/g, (_, name: keyof typeof filled) => filled[name] ?? ''),
    );
    received = [];
    const { stdout } = await run(command, [...flags, program], { cwd: folder });

    const { into, json, file, headers } = request;
    const type = headers.find(([name]) => name === 'Content-Type')?.[1];
    const path = request.path.replaceAll(/\$([A-Z]+)/g, (_, name: string) => VALUES[name] ?? '');
    const body = json === undefined ? undefined : JSON.parse(json);
    const sent = file && (type ? { type, text: FILE } : { name: file, form: FILE });
    expect(received).toEqual([
      {
        request: `${request.method} ${path}`,
        headers: expect.arrayContaining(
          headers
            .filter(([name]) => name !== 'Content-Type')
            .map(([name, value]) => [
              name.toLowerCase(),
              value.replace(/\$([A-Z]+)/, (_, key: string) => VALUES[key] ?? ''),
            ]),
        ),
        body: body ?? sent,
      },
    ]);
    expect(into ? readFileSync(join(folder, into), 'utf8') : stdout.trim()).toContain(ANSWER);
  });
});
