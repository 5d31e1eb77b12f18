import { describe, expect, test } from 'vitest';
import { toBoardRequest } from './address.ts';

const EVENT = '0f8fad5b-d9cb-469f-a165-70867728950e';
const asked = (path: string, init?: RequestInit) =>
  toBoardRequest(new Request(`https://race.example${path}`, init));

describe('toBoardRequest', () => {
  test.each([
    [`/board/${EVENT}`, `/board/${EVENT}`],
    [`/board/${EVENT.toUpperCase()}`, `/board/${EVENT}`],
    [`/board/${EVENT}?distance=10K&utm_source=mail`, `/board/${EVENT}`],
    [`/board/${EVENT}?distance=10K&bib=17&screen=1`, `/board/${EVENT}?screen`],
    [`/board/${EVENT}/`, `/board/${EVENT}`],
    [`/board/${EVENT}?lang=es&bib=%2021K-7`, `/board/${EVENT}?bib=21K-7`],
    [`/board/${EVENT}?bib=${'7'.repeat(41)}`, `/board/${EVENT}`],
    [`/board/${EVENT}?bib=17,%2031,,17`, `/board/${EVENT}?bib=17%2C31`],
    [`/board/${EVENT}?bib=1,2,3,4,5,6,7,8,9`, `/board/${EVENT}?bib=1%2C2%2C3%2C4%2C5%2C6%2C7%2C8`],
    [`/board/${EVENT}/find?q=%20%C3%81na%20%20G.&x`, `/board/${EVENT}/find?q=%C3%A1na+g.`],
    [`/board/${EVENT}/find?q=${'a'.repeat(90)}`, `/board/${EVENT}/find?q=${'a'.repeat(60)}`],
    [`/board/${EVENT}/data?${Math.random()}`, `/board/${EVENT}/data`],
    [`/board/%30${EVENT.slice(1)}/data`, `/board/${EVENT}/data`],
    [`/board/${EVENT}/data?distance=10K`, `/board/${EVENT}/data`],
    [
      `/board/${EVENT}/results?x=1&page=2&gender=&category=40%2B&distance=10%20km&page=3`,
      `/board/${EVENT}/results?distance=10+km&category=40%2B&page=2`,
    ],
    ...['page=2', 'page=02', 'page=2.0', 'page=2e0', 'page=%2B2', 'page=%202'].map((page) => [
      `/board/${EVENT}/results?${page}`,
      `/board/${EVENT}/results?page=2`,
    ]),
    ...['', 'page=1', 'page=01', 'page=1.0', 'page=1e0', 'page=%2B1', 'page=&gender='].map(
      (page) => [`/board/${EVENT}/results?${page}`, `/board/${EVENT}/results`],
    ),
    ...['page=0', 'page=x', 'page=-1', 'page=1.5', 'page=10001', `gender=${'x'.repeat(201)}`].map(
      (bad) => [`/board/${EVENT}/results?${bad}&distance=10K`, `/board/${EVENT}/results?page=0`],
    ),
    ['/b/KD7W-x9f2', '/b/kd7wx9f2'],
    ['/b/k-d7wx9f2/?lang=es&bib=%2017', '/b/kd7wx9f2?bib=17'],
    ['/b/kd7w-x9f2?screen&distance=10K', '/b/kd7wx9f2?screen'],
    ...['kd7w', 'kd7wx9f2x', 'kd7wx9f0', 'a', '%ff', `${'-'.repeat(99)}kd7wx9f2`].map((wrong) => [
      `/b/${wrong}`,
      '/b/none',
    ]),
    [`/board/${EVENT}/bibs/%31%37`, `/board/${EVENT}/bibs/17`],
    [`/board/${EVENT}/bibs/%2017%20`, `/board/${EVENT}/bibs/17`],
    [`/board/${EVENT}/bibs/a%2Fb`, `/board/${EVENT}/bibs/a%2Fb`],
    [`/board/${EVENT}/bibs/%E2%82%AC`, `/board/${EVENT}/bibs/%E2%82%AC`],
    [`/board/v1/${EVENT.toUpperCase()}?x=1`, `/board/v1/${EVENT}`],
    [`/board/v1/${EVENT}/runners/%2017%20?x`, `/board/v1/${EVENT}/runners/17`],
    [`/board/v1/${EVENT}/points?x&page_size=20&page=2`, `/board/v1/${EVENT}/points?page=2`],
    [`/board/v1/${EVENT}/points?distance=21K`, `/board/v1/${EVENT}/points`],
    [
      `/board/v1/${EVENT}/results?x=1&page=002&gender=&page_size=50&distance=%2021K`,
      `/board/v1/${EVENT}/results?distance=21K&page=2&page_size=50`,
    ],
    [`/board/v1/${EVENT}/results?page=0&x`, `/board/v1/${EVENT}/results?page=0`],
    [`/board/v1/${EVENT}/results?page=2&page=1`, `/board/v1/${EVENT}/results?page=1&page=2`],
  ])('rewrites every form to one URL (%s)', (path, canonical) => {
    expect(asked(path)?.url).toBe(`https://race.example${canonical}`);
  });

  test.each([
    ['/board'],
    ['/board/'],
    [`/board/${EVENT}/data/`],
    [`/board/v1/${EVENT}/data`],
    [`/board/v1/${EVENT}/runners`],
    [`/board/${EVENT}/bibs`],
    [`/board/${EVENT}/bibs/`],
    [`/board/${EVENT}/bibs/%ff`],
    [`/public/v1/events/${EVENT}`],
    ['/healthz'],
  ])('ignores a path that is not a board (%s)', (path) => {
    expect(asked(path)).toBeUndefined();
  });

  test('ignores methods other than GET and HEAD', () => {
    expect(asked(`/board/${EVENT}/data`, { method: 'POST' })).toBeUndefined();
    expect(asked(`/board/${EVENT}/data`, { method: 'HEAD' })?.method).toBe('HEAD');
  });

  test('drops all headers but the address of the client', () => {
    const headers = {
      'If-None-Match': '"7"',
      'Cache-Control': 'no-cache',
      'CF-Connecting-IP': '192.0.2.7',
      Authorization: 'Bearer x',
      Cookie: 'a=b',
      'X-Forwarded-Host': 'other.example',
    };
    const sent = asked(`/board/${EVENT}/data`, { headers });
    expect([...(sent?.headers ?? [])]).toEqual([['cf-connecting-ip', '192.0.2.7']]);
  });
});
