import type { ErrorCode } from '../../../../../worker/errors.ts';
import { getApiKeyUses } from '../../client/operations/get-api-key-uses.ts';
import type { ApiKeyUses } from '../api.ts';
import { textOfKeys as text, timeInZone } from '../formats.ts';
import { useLoaded, useSession } from '../kit.tsx';

/** The uses of a key on each of the last days with a use, or with missed counts. */
export function Uses({ keyId }: { keyId: string }) {
  const { run } = useSession();
  const { value, message } = useLoaded<ApiKeyUses>(
    () => run(({ client, organization }) => getApiKeyUses(client, organization, keyId)),
    [keyId],
  );
  const days = value?.days.filter(({ requests, is_complete }) => requests > 0 || !is_complete);
  return (
    <>
      <p class="strong">{text('uses')}</p>
      <p class="hint" role="status">
        {message || (days ? days.length === 0 && text('noUses') : text('loading'))}
      </p>
      <ol aria-label={text('uses')}>
        {days?.map(({ day, requests, personal_reads, refusals, is_complete }) => (
          <li key={day}>
            {[
              text('requests', { count: requests }),
              text('personalReads', { count: personal_reads }),
              ...Object.entries(refusals).map(([code, count]) =>
                text(`refused.${code as Exclude<ErrorCode, 'UNAUTHORIZED'>}`, { count }),
              ),
              ...(is_complete ? [] : [text('notCounted')]),
            ].join(' · ')}{' '}
            <time dateTime={day}>{timeInZone(day, null)}</time>
          </li>
        ))}
      </ol>
    </>
  );
}
