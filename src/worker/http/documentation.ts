import * as z from 'zod/v4/core';
import type { Scope } from '../scopes.ts';

/** Examples of an error: the name of the case and the `detail` of the answer. */
export type Cases = Record<string, string>;

export type Tag =
  | 'Events'
  | 'Participants'
  | 'Statistics'
  | 'Passings'
  | 'Passing files'
  | 'Results'
  | 'Official results'
  | 'Uploads'
  | 'Upload history'
  | 'Organization'
  | 'Panel results'
  | 'Panel history'
  | 'Panel uploads'
  | 'Panel passings'
  | 'API keys';

/** An operation in the OpenAPI document. Only `src/site` reads it: the Worker does not. */
export type Operation = {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: `/${string}`;
  /** The scope that the API key needs. An operation without a scope needs a panel session. */
  scope?: Scope;
  tag: Tag;
  summary: string;
  description: string;
  query?: z.$ZodObject;
  body?: Body;
  /** The header Idempotency-Key is accepted. */
  idempotent?: true;
  /** The answer has an ETag, and If-None-Match is accepted. */
  revalidated?: true;
  answer: {
    status: 200 | 201 | 204;
    description: string;
    schema?: z.$ZodType;
    /** For a list: the schema of an item. */
    listOf?: z.$ZodType;
    /** For an export: the schema of an item. The answer is a file, as JSON a list with one page. */
    exportOf?: z.$ZodType;
    /** For a file with a name and one type. */
    file?: { type: string; description: string; example: string };
    /** The answer has the header Results-State. */
    hasState?: true;
  };
  /** Errors of this operation, by status. The document adds those of the path, the query and the body. */
  errors?: Partial<Record<400 | 404 | 503, Cases>>;
};

type Body = { maxBytes: number } & (
  | { json: z.$ZodType }
  /** The example is the text of a file, which is sent as the form field `file`. */
  | { fileExample: string }
);

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
