/** A request of the reference. `path` may have `$EVENT`, which the page replaces by the reader's event. */
export type Request = {
  method: string;
  path: string;
  /** It needs a session of the panel and no key. */
  isPanel: boolean;
  json?: unknown;
  sendsFile: boolean;
};

/** The request in four languages, as Markdown. The first stands open. */
export function samplesOf(request: Request): string {
  const others = [
    ['JavaScript', 'js', inJavaScript(request)],
    ['Python', 'python', inPython(request)],
    ['PHP', 'php', inPhp(request)],
  ];
  return [
    `\`\`\`sh\n${inShell(request)}\n\`\`\``,
    ...others.map(
      ([name, language, code]) =>
        `<details><summary>${name}</summary>\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n</details>`,
    ),
  ].join('\n\n');
}

const json = (value: unknown, indent = 2) => JSON.stringify(value, null, indent);

/** The header that says who asks, with its value in the syntax of a language. */
const credentials = ({ isPanel }: Request, key: string, session: string): [string, string] =>
  isPanel ? ['Authorization', session] : ['X-API-Key', key];

function inShell(request: Request): string {
  const { method, path, sendsFile } = request;
  const [header, value] = credentials(request, '$KEY', 'Bearer $SESSION');
  return [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} "$API${path}"`,
    `-H "${header}: ${value}"`,
    ...(request.json === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d '${json(request.json, 0).replaceAll("'", "'\\''")}'`,
        ]),
    ...(sendsFile ? ['-F "file=@results.csv"'] : []),
  ].join(' \\\n  ');
}

function inJavaScript(request: Request): string {
  const { method, path, sendsFile } = request;
  const [header, value] = credentials(request, 'KEY', '`Bearer ${' + 'SESSION}`');
  const url = `\`\${API}${path.replace('$EVENT', '${' + 'EVENT}')}\``;
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    request.json === undefined
      ? `  headers: { '${header}': ${value} },`
      : `  headers: { '${header}': ${value}, 'Content-Type': 'application/json' },`,
    ...(request.json === undefined
      ? []
      : [`  body: JSON.stringify(${json(request.json).replaceAll('\n', '\n  ')}),`]),
    ...(sendsFile ? ['  body: form,'] : []),
  ];
  return [
    ...(sendsFile
      ? [
          'const form = new FormData();',
          "form.append('file', new Blob([await readFile('results.csv')]), 'results.csv');",
        ]
      : []),
    `const answer = await fetch(${url}, {`,
    ...options,
    '});',
    'console.log(answer.status, await answer.text());',
  ].join('\n');
}

function inPython(request: Request): string {
  const { method, path, sendsFile } = request;
  const [header, value] = credentials(request, 'KEY', 'f"Bearer {SESSION}"');
  return [
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    f"{API}${path.replace('$EVENT', '{EVENT}')}",`,
    `    headers={"${header}": ${value}},`,
    ...(request.json === undefined ? [] : [`    json=${inPythonValue(request.json)},`]),
    ...(sendsFile ? ['    files={"file": open("results.csv", "rb")},'] : []),
    ')',
    'print(answer.status_code, answer.text)',
  ].join('\n');
}

const inPythonValue = (value: unknown): string =>
  json(value)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/\bnull\b/g, 'None')
    .replaceAll('\n', '\n    ');

function inPhp(request: Request): string {
  const { method, path, sendsFile } = request;
  const [header, value] = credentials(request, '$KEY', 'Bearer $SESSION');
  const type = request.json === undefined ? '' : ", 'Content-Type: application/json'";
  return [
    `$request = curl_init("$API${path}");`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_HTTPHEADER => ["${header}: ${value}"${type}],`,
    ...(request.json === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => '${json(request.json, 0).replaceAll("'", "\\'")}',`]),
    ...(sendsFile ? ["    CURLOPT_POSTFIELDS => ['file' => new CURLFile('results.csv')],"] : []),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}
