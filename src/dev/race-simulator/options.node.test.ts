import { expect, test } from 'vitest';
import { DEMO } from '../stack/demo.ts';
import { readOptions } from './options.ts';

const EVENT = '3f0e1d3c-4f0a-4f0e-9d58-0d7a9c0a6f11';
const OTHER_EVENT = '7b9d8a70-90cf-4e1e-8f80-5c6f0a0d2a22';
const local = { origin: 'http://localhost:8788', apiKey: 'demo-key' };

test('plays the demo race of the running stack at sixty times its speed by default', () => {
  expect(readOptions([], local)).toEqual({
    origin: 'http://localhost:8788',
    apiKey: 'demo-key',
    eventId: DEMO.eventId,
    speed: 60,
    runners: 300,
    seed: 1,
  });
});

test('takes every option', () => {
  const race = `--speed 25 --runners 20 --seed 7 --event ${OTHER_EVENT} --key other-key`;
  const line = `${race} --api http://localhost:9000`;
  expect(readOptions(line.split(' '), undefined)).toEqual({
    origin: 'http://localhost:9000',
    apiKey: 'other-key',
    eventId: OTHER_EVENT,
    speed: 25,
    runners: 20,
    seed: 7,
  });
  const api = ['--api', 'https://api.example/', '--event', EVENT, '--key', 'k'];
  expect(readOptions(api, local)).toMatchObject({ origin: 'https://api.example', apiKey: 'k' });
});

test('takes the folder of a race that race-results sends', () => {
  expect(readOptions(['--through-cli', 'races'], local)).toMatchObject({ throughCli: 'races' });
});

test.each([
  [['--speed', 'fast'], '--speed: expected a whole number from 1 to 3600'],
  [['--speed', '0.5'], '--speed: expected a whole number from 1 to 3600'],
  [['--speed', 'Infinity'], '--speed: expected a whole number from 1 to 3600'],
  [['--runners', '3.5'], '--runners: expected a whole number from 1 to 10000'],
  [['--runners', ''], '--runners: expected a whole number from 1 to 10000'],
  [['--seed=-1'], '--seed: expected a whole number from 0 to 4294967295'],
  [['--api', 'localhost:8787'], '--api: expected an address such as http://localhost:8787'],
  [['--api', 'ftp://localhost'], '--api: expected an address such as http://localhost:8787'],
  [['--event', 'spring-run'], "--event: expected an event's id, a uuid"],
  [['--key', ''], '--key: expected an API key'],
  [['--sped', '60'], "Unknown option '--sped'"],
  [['60'], "Unexpected argument '60'"],
])('rejects %j and names what is accepted', (args, reason) => {
  expect(() => readOptions(args, local)).toThrow(reason);
});

test('reports all wrong options at once and never prints a key', () => {
  const read = () => readOptions(['--speed', '0', '--seed', 'x', '--key', 'secret'], local);
  expect(read).toThrow(/--speed: .+; --seed: .+ Usage: npm run race -- \[--speed 60\]/);
  expect(read).not.toThrow('secret');
});

test.each([
  [[]],
  [['--event', EVENT]],
  [['--event', EVENT, '--key', 'k']],
  [['--api', 'http://localhost:8787']],
])('says that no stack of this checkout is running (%j)', (args) => {
  expect(() => readOptions(args, undefined)).toThrow(
    'Start `npm run dev` in this checkout, or give --api, --event and --key.',
  );
});

test.each(['https://api.example', 'http://localhost.example', 'http://127.0.0.2'])(
  'does not send the demo key to %s',
  (api) => {
    const none = 'or give --api, --event and --key.';
    expect(() => readOptions(['--api', api], local)).toThrow(none);
    expect(() => readOptions(['--api', api, '--event', EVENT], local)).toThrow(none);
  },
);

test.each(['http://127.0.0.1:9000', 'http://[::1]:9000', 'http://LOCALHOST:9000'])(
  'uses the demo key at %s',
  (api) => {
    expect(readOptions(['--api', api], local)).toMatchObject({ apiKey: 'demo-key' });
  },
);
