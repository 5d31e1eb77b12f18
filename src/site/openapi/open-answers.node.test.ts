import { Validator } from '@cfworker/json-schema';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { document, LATER_ANSWERS, type Node } from '../../testing/later-answers.ts';
import { EXTENSIBLE } from './override.ts';

/** A schema of the document that stands alone. */
const alone = (schema: Node): Node =>
  JSON.parse(
    JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    ),
  );

test('lets answers have one more field and one more value', () => {
  const refused = LATER_ANSWERS.flatMap(({ id, schema, later }) => {
    expect(JSON.stringify(later)).toContain('a_new_field');
    const { errors } = new Validator(alone(schema), '2020-12', false).validate(later);
    const parsed = z.fromJSONSchema(alone(schema)).safeParse(later);
    return [
      ...errors.map(({ error }) => error),
      ...(parsed.success ? [] : [parsed.error.message]),
    ].map((error) => `${id}: ${error}`);
  });
  expect(LATER_ANSWERS.length).toBeGreaterThan(20);
  expect(refused).toEqual([]);
});

test('still refuses an answer without a field that it must have', () => {
  const accepting = LATER_ANSWERS.filter(
    ({ schema }) => new Validator(alone(schema), '2020-12').validate({}).valid,
  );
  expect(accepting.map(({ id }) => id)).toEqual([]);
});

test('lists the values that answers have now', () => {
  const { schemas } = document.components;
  for (const { [EXTENSIBLE]: values, ...field } of [
    schemas.ResultFailure.properties.reason_code,
    schemas.Event.properties.status,
    schemas.ResultBatch.properties.source,
    schemas.PreviewWarning.properties.code,
    schemas.Error.properties.code,
  ]) {
    expect(values.length).toBeGreaterThan(3);
    expect(field).not.toHaveProperty('enum');
  }
});
