import {
  answerOf,
  documentOf,
  isOfFile,
  nameOf,
  type Operation,
  queriesOf,
} from './client-types.ts';
import { idOfKeys, type OperationId } from './openapi/operations.ts';

const COMMENT_MAX = 116;

/** Whether a call is repeatable, against the method of its request. The panel's pairs follow. */
const REPEATABLE: Readonly<Record<string, boolean>> = {
  previewEventResultsFile: true,
  previewEventPassingsFile: true,
  revertResultBatch: true,
  // A second call finds no result.
  deleteEventResult: false,
} satisfies Partial<Record<OperationId, boolean>>;

/** A lookup without a value is an error, so its method requires the query. */
const NEEDS_QUERY: OperationId = 'lookupEventParticipants';

/** Numeric values of a path. */
const NUMBERS = ['version'];

const CONNECTION = ['ConditionalOptions', 'Connection', 'Operation', 'RequestOptions', 'Tagged'];
const OPTIONS = [
  'ByHandOptions',
  'TimesOptions',
  'DryRunOptions',
  'IdempotencyOptions',
  'ReasonOptions',
  'SendingOptions',
  'ShiftOptions',
  'UploadOptions',
];
const FILES = ['FileOptions', 'fileQuery', 'formOf', 'PassingFileOptions', 'ResultsFile'];

/** The classes of the client, each with the start of its paths. */
const CLASSES = [
  ['/public/', 'PublicMethods', 'The public API: a method for each operation.'],
  ['/board/', 'BoardMethods', 'What live boards show: a method for each operation.'],
  ['/api/', 'PanelMethods', 'The panel: a method for each operation.'],
] as const;

type Parameter = { name: string; type: string; isOptional?: boolean };

/** A way to call a method. */
type Form = { parameters: Parameter[]; returns: string };

type Method = {
  id: string;
  /** The operation of the file. */
  file: string;
  path: string;
  docs: string[];
  forms: Form[];
  /** The parameters of the working function. */
  work: Parameter[];
  isAsync: boolean;
  body: string;
};

/** Writes the operations and the methods of the client from the OpenAPI document alone, by file. */
export function generateMethods(): Map<string, string> {
  const { operations, schemas } = documentOf();
  const queries = queriesOf(operations);
  const typeNames = [...Object.keys(schemas), ...new Set(queries.values())];
  const files = new Map<string, string>();
  const methods = operations.flatMap((operation) => {
    const made = methodsOf(operation, schemas, queries);
    const code = [requestOf(operation), ...made.map(functionOf)].join('\n');
    files.set(
      fileOfOperation(operation.operationId),
      fileOf(importsIn(code, typeNames, '../'), code),
    );
    return made;
  });
  const classes = CLASSES.map(([begin, name, about]) =>
    classOf(
      name,
      about,
      methods.filter(({ path }) => path.startsWith(begin)),
    ),
  ).join('\n');
  const imports = operations.map(({ operationId }) => {
    const used = methods.filter(({ file }) => file === operationId).map(({ id }) => id);
    const renamed = used.map((id) => `${id} as ${id}Of`).join(', ');
    return `import { ${renamed} } from './${fileOfOperation(operationId)}';`;
  });
  files.set('methods.ts', fileOf([...imports, ...importsIn(classes, typeNames, './')], classes));
  return files;
}

/** A page loads only its imported operations, so each operation has a file. */
const fileOfOperation = (id: string) =>
  `operations/${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;

const requestOf = ({ operationId: id, method, path }: Operation) =>
  `export const request: Operation<'${id}'> = { id: '${id}', method: '${method}', path: '${path}' };\n`;

const fileOf = (imports: string[], code: string) =>
  `// Generated from the OpenAPI document by \`npm run generate:client\`.\n\n${imports.join('\n')}\n\n${code}`;

/** The imports for the names in a text. */
function importsIn(code: string, typeNames: string[], folder: './' | '../'): string[] {
  const words = new Set(code.match(/\w+/g));
  const from = (path: string, names: readonly string[]) => {
    const used = names.filter((name) => words.has(name)).sort();
    if (used.length === 0) return [];
    const isType = (name: string) => /^[A-Z]/.test(name);
    const listed = used.map((name) =>
      isType(name) && !used.every(isType) ? `type ${name}` : name,
    );
    const kind = used.every(isType) ? 'import type' : 'import';
    return [`${kind} { ${listed.join(', ')} } from '${folder}${path}.ts';`];
  };
  return [
    ...from('connection', CONNECTION),
    ...from('list', ['List', 'Page']),
    ...from('options', OPTIONS),
    ...from('results-file', FILES),
    ...from('types', typeNames),
  ];
}

/** The facts of an operation for its methods. */
function shapeOf(operation: Operation) {
  const { operationId: id, method, parameters = [], requestBody, responses } = operation;
  const [{ content = {} } = {}] = Object.values(responses);
  const named = (where: string) => parameters.filter((one) => one.in === where);
  const query = named('query').map(({ name }) => name);
  const headers = named('header').map(({ name }) => name);
  const isNamed = headers.includes('Idempotency-Key');
  const isExport = 'text/csv' in content;
  const answer = content['application/json'];
  return {
    id,
    query,
    isNamed,
    isExport,
    ids: named('path').map(({ name }) => ({
      name: camel(name),
      type: NUMBERS.includes(name) ? 'number' : 'string',
    })),
    required: named('query')
      .filter((one) => one.required)
      .map(({ name }) => ({ name: camel(name), type: 'string' })),
    body: nameOf(requestBody?.content['application/json']?.schema),
    isFile: isOfFile(operation),
    isUpload: requestBody !== undefined,
    isList: !isExport && nameOf(answer?.schema)?.endsWith('List') === true,
    isPolled: !isExport && answer !== undefined && headers.includes('If-None-Match'),
    isText: !isExport && answer === undefined && Object.keys(content).length > 0,
    isOnce: !(REPEATABLE[idOfKeys(id)] ?? (method !== 'POST' || isNamed)),
  };
}

type Shape = ReturnType<typeof shapeOf>;

/** The methods of an operation. An export for people as a file has two methods. */
function methodsOf(
  operation: Operation,
  schemas: Parameters<typeof answerOf>[1],
  queries: ReturnType<typeof queriesOf>,
): Method[] {
  const shape = shapeOf(operation);
  const { id, isList, isExport, isPolled, isFile } = shape;
  const before = parametersOf(shape, queries.get(id));
  const options = { name: 'options', type: optionsOf(shape), isOptional: true };
  const call = callOf(shape, queries.has(id));
  const behind = shape.query.includes('after')
    ? ', (last) => ({ after: last.inscription_id })'
    : '';
  const send = isExport ? 'lines' : isList ? 'list' : shape.isNamed ? 'sendNamed' : 'send';
  const polled = isList ? 'polledList' : 'sendIfModified';
  const method: Method = {
    id,
    file: id,
    path: operation.path,
    isAsync: isFile,
    docs: docsOf(operation, shape),
    forms: isPolled ? polledForms(answerOf(operation, schemas), isList, before, options) : [],
    work: [...before, options],
    body: `api.${isPolled ? polled : send}(request, { ${call} }${behind})`,
  };
  if (!isExport || !shape.query.includes('delimiter')) return [method];
  const delimiter = { name: 'delimiter', type: "'comma' | 'semicolon'" };
  const asFile: Method = {
    ...method,
    id: `${id}File`,
    docs: [`Answers what \`${id}\` answers, as a CSV file for people.`],
    work: [...before, delimiter, options],
    body: `api.sendFile(request, { ${call}, query: { delimiter } }, 'text/csv')`,
  };
  return [method, asFile];
}

/** The parameters before the options. */
const parametersOf = ({ id, ids, required, isFile, body }: Shape, query: string | undefined) => [
  ...ids,
  ...required,
  ...(isFile ? [{ name: 'file', type: 'ResultsFile' }] : []),
  ...(body ? [{ name: bodyName(body), type: body }] : []),
  ...(query ? [{ name: 'query', type: query, isOptional: id !== NEEDS_QUERY }] : []),
];

/** The forms of a pollable method: with the tag of the last answer, and without. */
function polledForms(
  item: string,
  isList: boolean,
  before: Parameter[],
  options: Parameter,
): Form[] {
  const whole = isList ? `Tagged<Page<${item}>>` : `Tagged<${item}>`;
  const namedParameters = before.map(({ name, type }) => ({ name, type }));
  return [
    {
      parameters: [...namedParameters, { name: 'options', type: 'ConditionalOptions' }],
      returns: `Promise<${whole} | 'not modified'>`,
    },
    {
      parameters: [...before, options],
      returns: isList ? `List<${item}, ${whole}>` : `Promise<${whole}>`,
    },
  ];
}

/** The fields of the call. */
function callOf(shape: Shape, hasQuery: boolean): string {
  const { query, ids, required, body, isNamed, isFile, isOnce, isText, isUpload } = shape;
  const beside = [
    ...required.map(({ name }) => name),
    ...(query.includes('reason') ? ['reason: options?.reason'] : []),
    ...(query.includes('dry_run') ? ['dry_run: options?.dryRun'] : []),
    ...(query.includes('shift') ? ['shift: options?.shift'] : []),
    ...(isNamed && query.includes('by_hand') ? ['by_hand: options?.byHand'] : []),
    ...(isOfTimes(shape) ? ["time_format: options?.timesOfDay ? 'time_of_day' : undefined"] : []),
    ...(isUpload && query.includes('sender')
      ? ['sender: options?.sender', 'leave: options?.leave']
      : []),
  ].join(', ');
  const values = ids.map(({ name, type }) => (type === 'number' ? `String(${name})` : name));
  return [
    '...options',
    isNamed && 'idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID()',
    values.length > 0 && `ids: [${values.join(', ')}]`,
    isFile && `query: fileQuery(options?.read${beside && `, { ${beside} }`})`,
    isFile && 'form: await formOf(file, options?.signal)',
    !isFile && beside && `query: { ${beside} }`,
    hasQuery && 'query',
    body && `json: ${bodyName(body)}`,
    isOnce && 'isOnce: true',
    isText && 'isText: true',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The first paragraph of an operation, the further work of the client, and the scope. */
function docsOf({ description }: Operation, shape: Shape): string[] {
  const { query, isExport, isList, isPolled, isNamed, isOnce, isFile } = shape;
  const [about = '', ...others] = description
    .replaceAll('`dry_run=true`', '`dryRun`')
    .split('\n\n');
  const scope = others.at(-1)?.match(/`\w+:\w+`/)?.[0];
  const last = isList ? 'page' : 'answer';
  const sentences = [
    about.replaceAll('\n', ' '),
    query.includes('after') &&
      'An iteration goes on after the last item of each page, so it misses nobody if somebody cancels meanwhile.',
    isExport &&
      'It is read before the first item comes, so an iteration that has begun is complete.',
    isPolled &&
      `To poll, pass the \`etag\` of the last ${last} as \`ifNoneMatch\`: the call returns 'not modified' until it changes.`,
    isNamed &&
      'Every attempt of a call has the same idempotency key, so it is stored once. `replayed` says whether an earlier ' +
        'attempt or call stored it.',
    isOnce && 'The client does not retry it.',
    scope && `Scope ${scope}.`,
  ];
  const thrown = '@throws RangeError for a larger stream, and any error of the stream';
  return [sentences.filter(Boolean).join(' '), ...(isFile ? [thrown] : [])];
}

/** Whether an upload says with the query how its JSON writes times. */
const isOfTimes = ({ query, isUpload, isFile }: Shape): boolean =>
  isUpload && !isFile && query.includes('time_format');

/** The type of a call's options. */
function optionsOf(shape: Shape): string {
  const { query, isNamed, isFile, isUpload } = shape;
  const hasReason = query.includes('reason');
  const types = [
    ...(isFile ? [query.includes('status') ? 'FileOptions' : 'PassingFileOptions'] : []),
    ...(isNamed ? [hasReason ? 'UploadOptions' : 'IdempotencyOptions'] : []),
    ...(query.includes('dry_run') ? ['DryRunOptions'] : []),
    ...(query.includes('shift') ? ['ShiftOptions'] : []),
    ...(isNamed && query.includes('by_hand') ? ['ByHandOptions'] : []),
    ...(isUpload && query.includes('sender') ? ['SendingOptions'] : []),
    ...(isOfTimes(shape) ? ['TimesOptions'] : []),
    ...(hasReason && !isNamed ? ['ReasonOptions'] : []),
  ];
  return types.join(' & ') || 'RequestOptions';
}

/** A name for the body: `apiKey` for `ApiKeyIn`. */
const bodyName = (type: string) => camel(type.replace(/In$/, ''));

const camel = (name: string) =>
  name
    .replace(/^[A-Z]/, (first) => first.toLowerCase())
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const listOf = (parameters: Parameter[]) =>
  parameters
    .map(({ name, type, isOptional }) => `${name}${isOptional ? '?' : ''}: ${type}`)
    .join(', ');

/** The function has no comment: the method with its name has the comment. */
function functionOf({ id, forms, work, isAsync, body }: Method): string {
  const api = { name: 'api', type: 'Connection' };
  const head = `export ${isAsync ? 'async ' : ''}function ${id}`;
  const overloads = forms.map(
    ({ parameters, returns }) => `${head}(${listOf([api, ...parameters])}): ${returns};`,
  );
  return [...overloads, `${head}(${listOf([api, ...work])}) {`, `  return ${body};`, '}\n'].join(
    '\n',
  );
}

function classOf(name: string, about: string, all: Method[]): string {
  const methods = all.map(({ id, docs, forms, work }) => {
    const overloads = forms.map(
      ({ parameters, returns }) => `  ${id}(${listOf(parameters)}): ${returns};`,
    );
    const passed = ['this.#api', ...work.map((one) => one.name)].join(', ');
    return [
      commentOf(docs, '  '),
      ...overloads,
      `  ${id}(${listOf(work)})${overloads.length > 0 ? ': unknown' : ''} {`,
      `    return ${id}Of(${passed});`,
      '  }\n',
    ].join('\n');
  });
  return [
    `/** ${about} */`,
    `export class ${name} {`,
    '  readonly #api: Connection;\n',
    '  constructor(api: Connection) {\n    this.#api = api;\n  }\n',
    methods.join('\n'),
    '}\n',
  ].join('\n');
}

/** A comment of whole sentences, broken into lines. */
function commentOf(docs: string[], indent: string): string {
  const lines = docs.flatMap((text) => {
    const broken = [''];
    for (const word of text.split(' ')) {
      const line = broken.at(-1) ?? '';
      if (line && line.length + word.length + indent.length + 1 > COMMENT_MAX) broken.push(word);
      else broken[broken.length - 1] = line ? `${line} ${word}` : word;
    }
    return broken;
  });
  const [only = ''] = lines;
  if (lines.length === 1 && only.length + indent.length + 7 <= COMMENT_MAX + 3)
    return `${indent}/** ${only} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
}
