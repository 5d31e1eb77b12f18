/** A request in a guide. `$API`, `$KEY`, `$EVENT` and the like stand for the reader's values. */
type Request = {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  /** A JSON body, as written in the guide. */
  json?: string;
  /** A file to send in a form, or as the whole body if there is a `Content-Type`. */
  file?: string;
  /** The file that gets the answer. Without a file, the sample prints the answer. */
  into?: string | undefined;
  printsHeaders: boolean;
};

type Language = { label: string; write: (request: Request) => string };

/** The languages of the samples, by their names in Markdown. */
export const LANGUAGES: Record<string, Language> = {
  sh: { label: 'curl', write: inShell },
  ts: { label: 'TypeScript', write: inTypeScript },
  python: { label: 'Python', write: inPython },
  php: { label: 'PHP', write: inPhp },
};

/** A request in Markdown, with the text after its language, and its description. */
export const REQUEST_BLOCK = /^```request ?(.*)\n([\s\S]*?)\n```$/gm;

/**
 * Reads a request: a line with method and path, lines with headers, then behind a blank line the JSON or `< file`. The
 * key is added unless a header contains the key.
 * @param info the words after `request` in the block: `with headers` or `into <file>`
 */
export function readRequest(text: string, info: string): Request {
  const [head = '', ...bodies] = text.split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = first.split(' ');
  const named = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  });
  const hasKey = named.some(([name]) => name === 'Authorization' || name === 'X-API-Key');
  const body = bodies.join('\n\n');
  return {
    method,
    path,
    headers: [
      ...(hasKey ? [] : [['X-API-Key', '$KEY'] satisfies [string, string]]),
      ...named.filter(([, value]) => value !== 'none'),
    ],
    ...(body.startsWith('< ') ? { file: body.slice(2) } : body && { json: body }),
    into: /^into (\S+)$/.exec(info)?.[1],
    printsHeaders: info === 'with headers',
  };
}

/** The samples of a request in all languages, as Markdown. */
export const samplesOf = (request: Request): string =>
  Object.entries(LANGUAGES)
    .map(([name, { write }]) => `\`\`\`${name}\n${write(request)}\n\`\`\``)
    .join('\n\n');

const isForm = ({ file, headers }: Request) =>
  file !== undefined && !headers.some(([name]) => name === 'Content-Type');

/** The headers, with the type of a JSON body. */
const withType = ({ headers, json }: Request): [string, string][] =>
  json === undefined ? headers : [...headers, ['Content-Type', 'application/json']];

/** Lines in brackets; a false line is left out. */
const indented = (spaces: number, lines: readonly (string | false)[]): string =>
  lines
    .filter((line) => line !== false)
    .map((line) => ' '.repeat(spaces) + line.replaceAll('\n', `\n${' '.repeat(spaces)}`))
    .join('\n');

/** JSON as a literal of another language, with the signs and words of the language outside of texts. */
const literal = (json: string, words: Record<string, string>): string =>
  json.replace(/"(?:\\.|[^"\\])*"|true|false|null|[{}:]/g, (token) => words[token] ?? token);

export function inShell(request: Request): string {
  const { method, path, json, file, into, printsHeaders } = request;
  const isPost = method === 'POST' && (json ?? file) !== undefined;
  const lines = [
    `curl -s${printsHeaders ? 'i' : ''}${method === 'GET' || isPost ? '' : ` -X ${method}`} "$API${path}"`,
    ...withType(request).map(([name, value]) => `-H "${name}: ${value}"`),
    json !== undefined && `-d '${json.replaceAll("'", "'\\''")}'`,
    file !== undefined && (isForm(request) ? `-F file=@${file}` : `--data-binary @${file}`),
    into !== undefined && `-o ${into}`,
  ];
  return lines.filter((line) => line !== false).join(' \\\n  ');
}

function inTypeScript(request: Request): string {
  const { method, path, json, file, into, printsHeaders } = request;
  const headers = withType(request).map(([name, value]) => `'${name}': '${value}'`);
  return indented(0, [
    file !== undefined && "import { openAsBlob } from 'node:fs';\n",
    into !== undefined && "import { writeFile } from 'node:fs/promises';\n",
    isForm(request) && 'const form = new FormData();',
    isForm(request) && `form.append('file', await openAsBlob('${file}'), '${file}');`,
    `const answer = await fetch('$API${path}', {`,
    indented(2, [
      method !== 'GET' && `method: '${method}',`,
      headers.length > 0 && `headers: { ${headers.join(', ')} },`,
      json !== undefined && `body: JSON.stringify(${json}),`,
      file !== undefined && `body: ${isForm(request) ? 'form' : `await openAsBlob('${file}')`},`,
    ]),
    '});',
    printsHeaders && 'console.log(answer.status, answer.headers);',
    into === undefined
      ? 'console.log(await answer.text());'
      : `await writeFile('${into}', await answer.text());`,
  ]);
}

function inPython(request: Request): string {
  const { method, path, headers, json, file, into, printsHeaders } = request;
  const sent = headers.map(([name, value]) => `'${name}': '${value}'`);
  const words = { true: 'True', false: 'False', null: 'None' };
  return indented(0, [
    'import requests\n',
    `answer = requests.${method.toLowerCase()}(`,
    indented(4, [
      `'$API${path}',`,
      headers.length > 0 && `headers={${sent.join(', ')}},`,
      json !== undefined && `json=${literal(json, words)},`,
      file !== undefined &&
        (isForm(request)
          ? `files={'file': open('${file}', 'rb')},`
          : `data=open('${file}', 'rb'),`),
    ]),
    ')',
    printsHeaders && 'print(answer.status_code, answer.headers)',
    into === undefined ? 'print(answer.text)' : `open('${into}', 'wb').write(answer.content)`,
  ]);
}

function inPhp(request: Request): string {
  const { method, path, json, file, into, printsHeaders } = request;
  const headers = withType(request).map(([name, value]) => `'${name}: ${value}'`);
  const words = { '{': '[', '}': ']', ':': ' =>' };
  const array = json !== undefined && literal(json.replaceAll('$', '\\$'), words);
  return indented(0, [
    '<?php',
    `$request = curl_init('$API${path}');`,
    'curl_setopt_array($request, [',
    indented(4, [
      method !== 'GET' && `CURLOPT_CUSTOMREQUEST => '${method}',`,
      'CURLOPT_RETURNTRANSFER => true,',
      printsHeaders && 'CURLOPT_HEADER => true,',
      headers.length > 0 && `CURLOPT_HTTPHEADER => [${headers.join(', ')}],`,
      array && `CURLOPT_POSTFIELDS => json_encode(${array}),`,
      file !== undefined &&
        (isForm(request)
          ? `CURLOPT_POSTFIELDS => ['file' => new CURLFile('${file}')],`
          : `CURLOPT_POSTFIELDS => file_get_contents('${file}'),`),
    ]),
    ']);',
    into === undefined
      ? 'echo curl_exec($request);'
      : `file_put_contents('${into}', curl_exec($request));`,
  ]);
}
