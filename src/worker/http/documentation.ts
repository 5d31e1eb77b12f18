import type { HonoBase } from 'hono/hono-base';
import type { RouterRoute } from 'hono/types';
import * as z from 'zod/v4/core';
import type { Operation, OperationHandler, Shaped } from './endpoint.ts';
import { polled, withETag } from './revalidation.ts';

/** Examples of an error: the name of the case and the `detail` of the answer. */
export type Cases = Record<string, string>;

export type Tag =
  | 'Events'
  | 'Participants'
  | 'Statistics'
  | 'Course'
  | 'Passings'
  | 'Passing files'
  | 'Results'
  | 'Official results'
  | 'Uploads'
  | 'Upload history'
  | 'Live board'
  | 'Organization'
  | 'Panel course'
  | 'Panel board'
  | 'Panel results'
  | 'Panel history'
  | 'Panel uploads'
  | 'Panel passings'
  | 'API keys';

/** The texts of the API document about an operation, beyond the facts of its route. Only `src/site` reads it. */
export type Prose = {
  tag: Tag;
  summary: string;
  description: string;
  /** Describes the fields of the query. */
  query?: () => Shaped;
  /** The text of a file, for an operation with an upload. The client sends the file as the form field `file`. */
  fileExample?: string;
  answer: {
    status: 200 | 201 | 204;
    description: string;
    schema?: z.$ZodType;
    /** For a list: the schema of an item. */
    listOf?: z.$ZodType;
    /** For an export: the schema of an item. The answer is a file; as JSON, the answer is a list with a single page. */
    exportOf?: z.$ZodType;
    /** For a file with a name and a single type. */
    file?: { type: string; description: string; example: string };
    /** The answer has the header Results-State. */
    hasState?: true;
    /** The answer never changes, so a client may keep it. */
    isImmutable?: boolean;
  };
  /** Errors of this operation, by status. The document adds the errors of the path, the query and the body. */
  errors?: Partial<Record<400 | 404 | 409 | 503, Cases>>;
};

/** The ids of the operations among these routes. */
export type OperationIdOf<Routes> =
  Routes extends HonoBase<infer _Env, infer Paths, string, string>
    ? IdOf<EachOf<EachOf<Paths>>>
    : never;

type EachOf<T> = T extends unknown ? T[keyof T] : never;
type IdOf<Endpoint> = Endpoint extends { input: { operationId: infer Id extends string } }
  ? Id
  : never;

/** The prose of each operation among these routes, and no further prose. */
export type ProseOf<Routes> = Record<OperationIdOf<Routes>, Prose>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation with the facts of its route. */
export type RoutedOperation = Operation & {
  method: (typeof METHODS)[number];
  path: `/${string}`;
  /** The answer has an ETag, and If-None-Match is accepted. */
  revalidated: boolean;
};

/** Whether a handler belongs to an operation. Further handlers are middleware, boards and pages. */
export const isOperation = (handler: object): handler is OperationHandler<string> =>
  'operation' in handler;

/** The operations of an app, in the order of its routes. */
export const operationsOf = ({ routes }: { routes: readonly RouterRoute[] }): RoutedOperation[] =>
  routes.flatMap(({ handler, method, path }) => {
    if (!isOperation(handler)) return [];
    return {
      ...handler.operation,
      method: METHODS.find((known) => known === method.toLowerCase()) ?? 'get',
      path: `/${path.slice(1).replaceAll(/:(\w+)/g, '{$1}')}` as const,
      revalidated:
        method === 'GET' &&
        routes.some(
          (beside) =>
            (beside.handler === polled || beside.handler === withETag) && covers(beside.path, path),
        ),
    };
  });

/** Whether the path of a middleware, which may end with a wildcard, covers the path of a route. */
const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;

type Fields<Shape> = { [Name in keyof Shape]?: z.GlobalMeta };

/** Describes fields of an input. A description beside its schema would travel with the Worker. */
export function describeFields<Shape extends Readonly<Record<string, z.$ZodType>>>(
  { shape }: { shape: Shape },
  fields: Fields<Shape>,
): void {
  for (const [name, meta] of Object.entries(fields)) {
    const schema = shape[name];
    if (schema) z.globalRegistry.add(schema, meta ?? {});
  }
}

/** `Paid` as the pattern `[Pp][Aa][Ii][Dd]`: the document has no flag for any case. */
export const inAnyCase = (words: string) =>
  words.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

/** Describes a field that accepts any of these values, in any case, or nothing. */
export const describedOneOf = (values: readonly string[]) => ({
  description: `One of ${values.map((value) => `\`${value}\``).join(', ')}, in any case.`,
  pattern: `^ *(${inAnyCase(values.join('|'))})? *$`,
  examples: values.slice(0, 1),
});
