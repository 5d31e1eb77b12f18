import type { EXTENSIBLE } from './override.ts';

/** A schema of the document. */
export type Schema = {
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
  additionalProperties?: Schema | boolean;
  [limit: string]: unknown;
};

export type Content = {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
};

export type Parameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
};

type DescribedAnswer = {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Content>;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, DescribedAnswer>;
};

/** The parts of an OpenAPI 3.1 document for the tools of the site. */
export type ApiDocument = {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
