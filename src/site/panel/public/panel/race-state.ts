import { DOT } from '../shared/dom.ts';
import type { Batch, ListedRunner, OrganizationEvent, Version } from './api.ts';
import { isolated, relativeTime, text, textOfUploads } from './formats.ts';
import { kindOf } from './race/phase.ts';

/** The latest upload of an event in a line. */
export const latestOf = ({ latest_batch: latest }: OrganizationEvent) =>
  latest === null
    ? text('noUpload')
    : text('latest', {
        what: isolated(nameOfBatch(latest)),
        ago: relativeTime(new Date(latest.received_at)),
      });

/** Describes a batch by its file and its rows, or by a person's act and the runners. */
export function nameOfBatch(
  batch: Pick<Batch, 'source' | 'file_name' | 'total_processed'> &
    Partial<Pick<Batch, 'user_id' | 'runners' | 'is_swap'>>,
) {
  if (batch.is_swap) return `${text('batch.swap')}${DOT}${bibsOf(batch.runners).join(' ↔ ')}`;
  const runners = batch.runners?.map(shortName).join(', ');
  return `${batch.file_name ?? text(`batch.${kindOf(batch)}`)}${DOT}${
    runners || text('rows', { count: batch.total_processed })
  }`;
}

const bibsOf = (runners: Batch['runners'] = []) => runners.map(({ bib_number: bib }) => bib ?? '–');

/** A runner in a few letters: `304 Ada E.` */
const shortName = ({ bib_number, given_names, surnames }: Batch['runners'][number]) =>
  [bib_number, given_names, surnames && `${[...surnames][0]}.`].filter(Boolean).join(' ');

type Named = Pick<ListedRunner, 'given_names' | 'surnames' | 'bib_number'>;

/** The bib and the name of a runner. */
export const bibAndName = ({ bib_number, given_names, surnames }: Named) =>
  [bib_number ?? '–', given_names, surnames].filter(Boolean).join(' ');

/** The name of a runner, or the bib without a name. */
export const nameOf = ({ given_names, surnames, bib_number }: Named) =>
  [given_names, surnames].filter(Boolean).join(' ') || text('bib', { bib: bib_number ?? '–' });

/**
 * The author of a version of a result, or the sender of an upload: a user, or a key with the sender's name for itself.
 * @param userId the reader
 */
export function actorOf(
  { user_id, key_name, sender }: Pick<Version, 'user_id' | 'key_name' | 'sender'>,
  userId: string,
): string {
  if (user_id)
    return textOfUploads('by', { actor: user_id === userId ? textOfUploads('you') : user_id });
  return [
    key_name ? textOfUploads('withKey', { name: isolated(key_name) }) : '',
    isolated(sender ?? ''),
  ]
    .filter(Boolean)
    .join(', ');
}
