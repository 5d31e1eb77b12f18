import { markdownTable } from '../markdown-table.ts';
import { openApiDocument } from '../openapi/document.ts';
import { EXTENSIBLE } from '../openapi/override.ts';
import { anchorOf, type Guide, readGuide } from './guide.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  [EXTENSIBLE]?: unknown[];
  const?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
type Example = { value?: unknown };
type Content = { schema?: Schema; example?: unknown; examples?: Record<string, Example> };
type Body = { content?: Record<string, Content> };
type Parameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
};
type Answer = Body & { $ref?: string; description: string };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answer>;
};
type Document = {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Fields of fields are listed down to this depth. */
const DEPTH_MAX = 3;
/** The query of a sample, where an operation needs one that the document calls optional. */
const SAMPLE_QUERY: Record<string, string> = { lookupEventParticipants: 'bib=17' };

/** The reference: a page for each tag of the OpenAPI document, and first a page that leads to them. */
export function referencePages(): Guide[] {
  const document: Document = JSON.parse(JSON.stringify(openApiDocument()));
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const pages = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    /** Where the page has listed the fields of a schema. */
    const listed = new Map<string, string>();
    const parts = own.map(({ path, method, operation }) =>
      operationText(document, listed, path, method, operation),
    );
    const slug = `reference/${name.toLowerCase().replaceAll(' ', '-')}`;
    return { slug, name, own, text: [`# ${name}`, description, ...parts].join('\n\n') };
  });
  const list = pages.map(({ slug, name, own }) =>
    [
      `## ${name}`,
      markdownTable(
        ['Operation', 'Request'],
        own.map(({ path, method, operation: { summary } }) => [
          `[${summary}](/docs/${slug}#${anchorOf(summary)})`,
          `\`${method.toUpperCase()} ${path}\``,
        ]),
      ),
    ].join('\n\n'),
  );
  const lead =
    'Every operation of the API, from the schemas that check the requests. Try one in the [console](/docs/console), or ' +
    'read [openapi.json](/openapi.json) and [reference.md](/docs/reference.md) with a program.';
  const first = ['# Reference', lead, ...list, document.info.description].join('\n\n');
  return [{ slug: 'reference', text: first }, ...pages].map(({ slug, text }) =>
    readGuide(slug, text, {}),
  );
}

function operationText(
  document: Document,
  listed: Map<string, string>,
  path: string,
  method: string,
  operation: Operation,
): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = content && exampleOf(content);
  const [status = '', answer] = Object.entries(responses)[0] ?? [];
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    ...section(
      'Parameters',
      parameters.map((one) => [
        `\`${one.name}\``,
        `${one.in}${one.required ? ', required' : ''}`,
        typeOf(document, one.schema),
        inLine(one.description),
      ]),
      ['Name', 'In', 'Type', 'Meaning'],
    ),
    ...fieldSection(document, listed, summary, `Body: ${type}`, content?.schema),
    requestOf(path, method, operation, type, example),
    `**Answer ${status}**: ${answer?.description ?? ''}`,
    ...answerText(answer),
    ...fieldSection(document, listed, summary, 'Fields', bodyOf(answer)?.schema),
    ...section('Errors', errorsOf(responses), ['Status', 'Code', 'For example']),
  ].join('\n\n');
}

const bodyOf = (answer: Answer | undefined): Content | undefined =>
  Object.values(answer?.content ?? {})[0];

function answerText(answer: Answer | undefined): string[] {
  const content = bodyOf(answer);
  const example = content && exampleOf(content);
  if (example === undefined) return [];
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return [`\`\`\`json\n${text}\n\`\`\``];
}

/** The fields of a schema. Of one that the page has listed already, a link to them. */
function fieldSection(
  document: Document,
  listed: Map<string, string>,
  summary: string,
  title: string,
  schema: Schema | undefined,
): string[] {
  if (!schema) return [];
  const known = schema.$ref && listed.get(schema.$ref);
  if (known) return [`**${title}**: as of [${known}](#${anchorOf(known)}).`];
  if (schema.$ref) listed.set(schema.$ref, summary);
  return section(title, fieldsOf(document, schema));
}

const section = (
  title: string,
  rows: (string | number)[][],
  header = ['Field', 'Type', 'Meaning'],
): string[] => (rows.length === 0 ? [] : [`**${title}**`, markdownTable(header, rows)]);

const exampleOf = ({ example, examples }: Content): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

function requestOf(
  path: string,
  method: string,
  { operationId, security, parameters = [] }: Operation,
  type: string | undefined,
  body: unknown,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'event_id') return '$EVENT';
    const known = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(known?.example ?? name));
  });
  const query = SAMPLE_QUERY[operationId];
  return [
    `\`\`\`request\n${method.toUpperCase()} ${query ? `${filled}?${query}` : filled}`,
    ...(security.some((scheme) => 'panelSession' in scheme)
      ? ['Authorization: Bearer $SESSION']
      : []),
    ...(type?.includes('json')
      ? ['', JSON.stringify(body, null, 2)]
      : type
        ? ['', '< results.csv']
        : []),
    '```',
  ].join('\n');
}

/** The fields of a schema and of what it holds, by their path: `data[].id`. */
function fieldsOf(document: Document, schema: Schema, prefix = '', depth = 0): string[][] {
  const { properties = {}, required = [], items } = resolve(document, schema);
  if (items) return fieldsOf(document, items, `${prefix.replace(/\.$/, '')}[].`, depth);
  return Object.entries(properties).flatMap(([name, field]) => {
    const known = resolve(document, field);
    const isOptional = required.includes(name) ? '' : ', optional';
    const inner = known.properties || known.items ? field : undefined;
    return [
      [
        `\`${prefix}${name}\``,
        typeOf(document, field) + isOptional,
        inLine(field.description ?? known.description),
      ],
      ...(inner && depth < DEPTH_MAX
        ? fieldsOf(document, inner, `${prefix}${name}.`, depth + 1)
        : []),
    ];
  });
}

/** A schema without its reference. Of several alternatives, the first that is not null. */
function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const named = name === undefined ? schema : (document.components.schemas[name] ?? {});
  const [first] = alternatives(named).filter(({ type }) => type !== 'null');
  return named.properties || named.items || !first ? named : resolve(document, first);
}

const alternatives = ({ anyOf, oneOf, allOf }: Schema): Schema[] => anyOf ?? oneOf ?? allOf ?? [];

function typeOf(document: Document, schema: Schema): string {
  const several = alternatives(schema);
  if (several.length > 0) {
    return [...new Set(several.map((one) => typeOf(document, one)))].join(' or ');
  }
  const { type = 'anything', format, items, ...known } = resolve(document, schema);
  const values = known.const === undefined ? (known.enum ?? known[EXTENSIBLE]) : [known.const];
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (items) return `array of ${typeOf(document, items)}`;
  const names = [type].flat().join(' or ');
  return format === undefined ? names : `${names} (${format})`;
}

/** The errors of one operation alone. Those that every operation has stand on the first page. */
const errorsOf = (responses: Operation['responses']): string[][] =>
  Object.entries(responses)
    .filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined)
    .map(([status, { description, content = {} }]) => {
      const [error] = Object.values(content).map(exampleOf);
      const detail = typeof error === 'object' && error && 'detail' in error ? error.detail : '';
      const [code = ''] = /`[A-Z_]+`/.exec(description) ?? [];
      return [status, code, inLine(String(detail))];
    });

const inLine = (text = ''): string => text.replace(/\s+/g, ' ').trim();
