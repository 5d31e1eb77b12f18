/** The token of `Authorization: Bearer <token>`, where there is one. */
export const bearerToken = (headers: Headers): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('Authorization') ?? '')?.[1];
