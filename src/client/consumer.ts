// What a program may write and, where an error is expected, may not write. package.process.test.ts compiles it
// against the package. Nothing runs it.
import {
  ApiError,
  type Event,
  isRaceResultsError,
  PanelClient,
  RaceResultsClient,
  type ResultsUploadOut,
} from './index.ts';

export async function use(baseUrl: string, apiKey: string, signal?: AbortSignal, page?: number) {
  const client = new RaceResultsClient({ baseUrl, apiKey, timeoutMs: undefined });

  const statuses: Event['status'][] = [];
  for await (const event of client.listEvents()) statuses.push(event.status);
  const { data, meta } = await client.listEvents({ page, page_size: 50 }, { signal });
  const total: number = meta.total + data.length;
  for await (const { data } of client.listEventParticipants('id').pages())
    data.at(0)?.email?.trim();
  await client.lookupEventParticipants('id', { bib: '17', chip: undefined });

  const rows = [{ bib_number: '17', chip_time: '41:50', gun_time: undefined }] as const;
  const outcome: ResultsUploadOut = await client.uploadEventResults('id', { results: rows });
  await client.uploadEventResultsFile('id', new Blob(['bib,time']).stream(), { signal });

  // @ts-expect-error: a bib is missing
  await client.uploadEventResults('id', { results: [{ chip_time: '41:50' }] });
  // @ts-expect-error: no such field
  outcome.accepted;
  const panel = new PanelClient({ baseUrl, sessionToken: apiKey });
  // @ts-expect-error: no such scope
  await panel.createApiKey('id', { name: 'Van', scopes: ['*'] });
  // @ts-expect-error: no such header
  new RaceResultsClient({ baseUrl, apiKey, header: 'Cookie' });

  return { statuses, total };
}

export function explain(error: unknown): string {
  if (!isRaceResultsError(error)) throw error;
  switch (error.code) {
    case 'RATE_LIMITED':
      return `come back in ${(error.retryAfterSeconds ?? 0).toFixed()} s`;
    case 'TIMEOUT':
    case 'NETWORK_ERROR':
      // @ts-expect-error: nobody answered, so there is no status
      return String(error.status ?? error.cause);
    case 'UNEXPECTED_ANSWER':
      return `${error.status} ${error.contentType}`;
    default:
      return error instanceof ApiError ? error.detail : (error satisfies never);
  }
}
