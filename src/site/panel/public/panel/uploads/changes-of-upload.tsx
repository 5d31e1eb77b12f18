import { listOrganizationResultBatchChanges } from '../../client/operations/list-organization-result-batch-changes.ts';
import type { Batch } from '../api.ts';
import { textOfUploads as text } from '../formats.ts';
import { More, usePages, useSession } from '../kit.tsx';
import { ChangeItem } from './changes.tsx';

/** The changes of an upload, and its bibs without a runner. */
export function Changes({ race, batch }: { race: string; batch: Batch }) {
  const { run } = useSession();
  const { items, more, message } = usePages(
    (page) =>
      run(({ client, organization }) =>
        listOrganizationResultBatchChanges(client, organization, race, batch.id, { page }),
      ),
    ({ inscription_id }) => inscription_id,
    [batch.id],
  );
  const { not_found_bibs: bibs, not_found: count } = batch;
  const rest = count - bibs.length;
  return (
    <div class="changes stack">
      {bibs.length > 0 && (
        <p class="unknown">
          {text(rest > 0 ? 'unknownBibsAndMore' : 'unknownBibs', { bibs: bibs.join(', '), rest })}
        </p>
      )}
      <p class="hint" role="status">
        {message || (items ? items.length === 0 && text('noChanges') : text('loading'))}
      </p>
      <ul aria-label={text('changes')}>
        {items?.map((change) => (
          <ChangeItem key={change.inscription_id} {...change} />
        ))}
      </ul>
      <More onClick={more} />
    </div>
  );
}
