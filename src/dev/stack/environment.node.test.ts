import { expect, test } from 'vitest';
import { parseEnvironment } from './environment.ts';

test('reads every variable', () => {
  const variables = {
    PORT: '9000',
    DATABASE_URL: 'postgres://127.0.0.1/race',
    REDIS_URL: 'redis://127.0.0.1',
    LOCAL_POSTGRES_DELAY_MS: '100',
    LOCAL_REDIS_DELAY_MS: '3000',
    HOME: '/home/runner',
  };
  expect(parseEnvironment(variables)).toEqual({
    PORT: 9000,
    DATABASE_URL: 'postgres://127.0.0.1/race',
    REDIS_URL: 'redis://127.0.0.1',
    LOCAL_POSTGRES_DELAY_MS: 100,
    LOCAL_REDIS_DELAY_MS: 3000,
  });
});

test('treats a blank variable as not set', () => {
  const blank = { PORT: '', DATABASE_URL: ' ', LOCAL_REDIS_DELAY_MS: '' };
  expect(parseEnvironment(blank)).toEqual({
    LOCAL_POSTGRES_DELAY_MS: 0,
    LOCAL_REDIS_DELAY_MS: 0,
  });
});

test.each(['eighty', '0', '65536', '-1', '80.5', '8e3', '0x50'])(
  'rejects the PORT %s in one line',
  (PORT) => {
    expect(() => parseEnvironment({ PORT })).toThrow(
      new Error(`PORT: expected a whole number from 1 to 65535, not "${PORT}".`),
    );
  },
);

test('names every wrong variable', () => {
  const read = () => parseEnvironment({ PORT: 'x', LOCAL_REDIS_DELAY_MS: '3s' });
  expect(read).toThrow(
    new Error(
      'PORT: expected a whole number from 1 to 65535, not "x"; ' +
        'LOCAL_REDIS_DELAY_MS: expected a whole number from 0 to 60000, not "3s".',
    ),
  );
});
