import { expect } from 'vitest';
import type { ErrorCode } from '../worker/errors.ts';

/** Expects the error envelope and an otherwise empty body. @returns its `detail` */
export async function expectError(
  response: Response,
  status: number,
  code: ErrorCode,
): Promise<string> {
  const body = await response.json<{ detail: string; code: string }>();
  expect({ status: response.status, code: body.code }).toEqual({ status, code });
  expect(Object.keys(body).sort()).toEqual(['code', 'detail']);
  expect(body.detail).toMatch(/\S/);
  expect(response.headers.get('Content-Type')).toContain('application/json');
  return body.detail;
}
