import { expect, test } from 'vitest';
import { wayBack } from './public/panel/way-back.ts';

const OWN = 'https://panel.example/races/17?tab=keys';

test.each([
  [OWN, undefined],
  [OWN, 'https://panel.example/'],
  [OWN, 'the panel'],
  ['http://localhost:3000/', undefined],
])('accepts %s from a session of the issuer %s', (address, issuer) => {
  expect(wayBack(address, issuer)?.href).toBe(address);
});

test.each([
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//evil.example', undefined],
  ['http://evil.example/', undefined],
  ['https://user@evil.example/', undefined],
  ['/panel', undefined],
  ['', undefined],
  ['https://evil.example/', 'https://panel.example'],
  ['https://panel.example.evil.example/', 'https://panel.example'],
])('refuses %o from a session of the issuer %s', (address, issuer) => {
  expect(wayBack(address, issuer)).toBeUndefined();
});
