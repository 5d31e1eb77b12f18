/** The token of `Authorization: Bearer <token>`; undefined for other schemes. */
export const bearerToken = (headers: Headers): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('Authorization') ?? '')?.[1];
