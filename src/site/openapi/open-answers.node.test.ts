import { expect, test } from 'vitest';
import * as z from 'zod';
import { errorsIn } from '../../testing/documented.ts';
import { LATER_ANSWERS, openDocument } from '../../testing/later-answers.ts';
import { EXTENSIBLE } from './override.ts';

test('lets answers have one more field and one more value', () => {
  const refused = LATER_ANSWERS.flatMap(({ id, schema, later }) => {
    expect(JSON.stringify(later)).toContain('a_new_field');
    const parsed = z.fromJSONSchema(Object(schema)).safeParse(later);
    return [...errorsIn(schema, later), ...(parsed.success ? [] : [parsed.error.message])].map(
      (error) => `${id}: ${error}`,
    );
  });
  expect(LATER_ANSWERS.length).toBeGreaterThan(20);
  expect(refused).toEqual([]);
});

test('still refuses an answer without a field that it must have', () => {
  const accepting = LATER_ANSWERS.filter(({ schema }) => errorsIn(schema, {}).length === 0);
  expect(accepting.map(({ id }) => id)).toEqual([]);
});

test('lists the values that answers have now', () => {
  const { schemas } = openDocument.components;
  const fields = [
    ['ResultFailure', 'reason_code'],
    ['Event', 'status'],
    ['ResultBatch', 'source'],
    ['PreviewWarning', 'code'],
    ['Error', 'code'],
  ] as const;
  for (const [name, field] of fields) {
    const { [EXTENSIBLE]: values, ...schema } = Object(schemas[name]?.properties?.[field]);
    expect(values.length).toBeGreaterThan(3);
    expect(schema).not.toHaveProperty('enum');
  }
});
