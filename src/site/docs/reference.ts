import { markdownTable } from '../markdown-table.ts';
import { openApiDocument } from '../openapi/document.ts';
import type {
  ApiDocument,
  Content,
  Operation,
  Parameter,
  Schema,
} from '../openapi/document-types.ts';
import { EXTENSIBLE } from '../openapi/override.ts';
import { anchorOf, type Guide, readGuide } from './guide.ts';
import { slugOf } from './page.ts';

/** Fields of fields are listed down to this depth. */
const DEPTH_MAX = 3;
/**
 * The query of a sample, for an operation that needs a parameter although the document calls the parameter optional.
 */
const SAMPLE_QUERY: Record<string, string> = { lookupEventParticipants: 'bib=17' };

const DOCUMENT: ApiDocument = JSON.parse(JSON.stringify(openApiDocument()));

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    path,
    request: `${method.toUpperCase()} ${path}`,
  })),
);
type Described = (typeof OPERATIONS)[number];

const operationsOf = (tag: string): Described[] =>
  OPERATIONS.filter(({ tags }) => tags.includes(tag));

/** The reference: first a page with links, then a page for each tag of the OpenAPI document. */
export const referencePages = (): Guide[] => [
  readGuide('reference', firstPage(), {}),
  ...DOCUMENT.tags.map(({ name, description }) => {
    /** Where the page has listed the fields of a schema. */
    const listed = new Map<string, string>();
    const parts = operationsOf(name).map((operation) => operationText(operation, listed));
    return readGuide(slugOf(name), [`# ${name}`, description, ...parts].join('\n\n'), {});
  }),
];

const firstPage = (): string =>
  [
    '# Reference',
    'Every operation of the API, from the schemas that check the requests. A program reads ' +
      '[openapi.json](/openapi.json) or [reference.md](/docs/reference.md).',
    ...DOCUMENT.tags.flatMap(({ name }) => [
      `## ${name}`,
      markdownTable(
        ['Operation', 'Request'],
        operationsOf(name).map(({ summary, request }) => [
          `[${summary}](/docs/${slugOf(name)}#${anchorOf(summary)})`,
          `\`${request}\``,
        ]),
      ),
    ]),
    DOCUMENT.info.description,
  ].join('\n\n');

function operationText(operation: Described, listed: Map<string, string>): string {
  const { summary, request, description, parameters = [], requestBody, responses } = operation;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [status, answer] = Object.entries(responses)[0] ?? [];
  const answered = Object.values(answer?.content ?? {})[0];
  const told = `${status}: ${answer?.description ?? ''}`;
  return [
    `## ${summary}`,
    `\`${request}\``,
    description,
    requestOf(operation, type, content),
    answered ? `\`\`\`json Answer ${told}\n${exampleText(answered)}\n\`\`\`` : `**Answer ${told}**`,
    ...(parameters.length > 0 ? [`**Parameters**`, parameters.map(parameterItem).join('\n')] : []),
    ...fieldSection(`Body: ${type}`, content, summary, listed),
    ...fieldSection('Fields of the answer', answered, summary, listed),
    ...section('Errors', ['Status', 'Code', 'For example'], errorsOf(operation)),
  ].join('\n\n');
}

const section = (title: string, header: string[], rows: string[][]): string[] =>
  rows.length === 0 ? [] : [`**${title}**`, markdownTable(header, rows)];

const parameterItem = ({
  name,
  in: where,
  required,
  schema,
  description,
  example,
}: Parameter): string => {
  const facts = [
    where,
    required ? 'required' : 'optional',
    typeOf(schema),
    ...limitsOf(schema),
  ].join(' · ');
  const sample = String(example ?? '');
  const isTold = String(schema['default']) === sample || description?.includes(sample);
  const told = sample === '' || isTold ? '' : ` For example \`${sample}\`.`;
  return `- \`${name}\` *${facts}*  \n  ${inLine(description)}${told}`;
};

/** The fields of a schema. A schema already listed on the page becomes a link. */
function fieldSection(
  title: string,
  content: Content | undefined,
  summary: string,
  listed: Map<string, string>,
): string[] {
  const { schema = {} } = content ?? {};
  const known = schema.$ref && listed.get(schema.$ref);
  if (known) return [`**${title}**: as of [${known}](#${anchorOf(known)}).`];
  if (schema.$ref) listed.set(schema.$ref, summary);
  return section(title, ['Field', 'Type', 'Meaning'], fieldsOf(schema, title.startsWith('Body')));
}

const exampleOf = ({ example, examples }: Content): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

function exampleText(content: Content): string {
  const example = exampleOf(content);
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

function requestOf(operation: Described, type: string | undefined, content?: Content): string {
  const { operationId, security, request, parameters = [] } = operation;
  const filled = request.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'event_id') return '$EVENT';
    const known = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(known?.example ?? name));
  });
  const query = SAMPLE_QUERY[operationId];
  const isOfPanel = security.some((scheme) => 'panelSession' in scheme);
  return [
    '```request',
    query ? `${filled}?${query}` : filled,
    ...(isOfPanel ? ['Authorization: Bearer $SESSION'] : []),
    ...(content ? ['', type?.includes('json') ? exampleText(content) : '< results.csv'] : []),
    '```',
  ].join('\n');
}

/** The fields of a schema and of the schemas inside, by their path: `data[].id`. */
function fieldsOf(schema: Schema, isSent: boolean, prefix = '', depth = 0): string[][] {
  const { properties = {}, required = [], items } = resolve(schema);
  if (items) return fieldsOf(items, isSent, `${prefix.replace(/\.$/, '')}[].`, depth);
  return Object.entries(properties).flatMap(([name, field]) => {
    const known = resolve(field);
    const hasFields = (known.properties || known.items) && depth < DEPTH_MAX;
    return [
      [
        `\`${prefix}${name}\``,
        [
          typeOf(field),
          ...(required.includes(name) ? [] : ['optional']),
          ...(isSent ? limitsOf(field) : []),
        ].join(', '),
        inLine(field.description ?? known.description),
      ],
      ...(hasFields ? fieldsOf(field, isSent, `${prefix}${name}.`, depth + 1) : []),
    ];
  });
}

/** A schema with its reference resolved. Of several alternatives, the first alternative except null. */
function resolve(schema: Schema): Schema {
  const named = DOCUMENT.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const first = alternatives(named).find(({ type }) => type !== 'null');
  return named.properties || named.items || !first ? named : resolve(first);
}

const alternatives = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? [];

function typeOf(schema: Schema): string {
  const several = alternatives(schema);
  if (several.length > 0) return [...new Set(several.map(typeOf))].join(' or ');
  const { type = 'anything', format, items, ...known } = resolve(schema);
  const values = known.const === undefined ? (known.enum ?? known[EXTENSIBLE]) : [known.const];
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (items) return `array of ${typeOf(items)}`;
  const names = [type].flat().join(' or ');
  return format === undefined ? names : `${names} (${format})`;
}

/** The bounds and the default of a value, such as `1 to 100` and `default 20`. */
function limitsOf(schema: Schema): string[] {
  const known = { ...resolve(schema), ...schema };
  return [
    ...rangeOf(known['minimum'], known['maximum'], ''),
    ...rangeOf(known['minLength'], known['maxLength'], ' characters'),
    ...rangeOf(known['minItems'], known['maxItems'], ' items'),
    ...(known['default'] === undefined ? [] : [`default ${String(known['default'])}`]),
  ];
}

/** A bound beyond all real values is no bound. */
function rangeOf(least: unknown, most: unknown, unit: string): string[] {
  const isBound = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER / 10;
  if (typeof least === 'number') {
    return [isBound ? `${least} to ${most}${unit}` : `${least}${unit} or more`];
  }
  return isBound ? [`at most ${most}${unit}`] : [];
}

/** The errors of this operation alone. Errors of every operation stand on the first page. */
const errorsOf = ({ responses }: Operation): string[][] =>
  Object.entries(responses)
    .filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined)
    .map(([status, { description, content = {} }]) => {
      const [error] = Object.values(content).map(exampleOf);
      const detail = typeof error === 'object' && error && 'detail' in error ? error.detail : '';
      const [code = ''] = /`[A-Z_]+`/.exec(description) ?? [];
      return [status, code, inLine(String(detail))];
    });

const inLine = (text = ''): string => text.replace(/\s+/g, ' ').trim();
