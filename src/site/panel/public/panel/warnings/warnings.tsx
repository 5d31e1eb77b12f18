import { getOrganizationEventWarnings } from '../../client/operations/get-organization-event-warnings.ts';
import { DOT } from '../../shared/dom.ts';
import type { EventWarnings, OrganizationEvent } from '../api.ts';
import { isolated, shortTime, textOfParts as text } from '../formats.ts';
import { Message, RowButton, useLoaded, useSession } from '../kit.tsx';

type Dns = EventWarnings['dns_with_passing'][number];

/**
 * The clocks that seem wrong, and the runners who are DNS although a point saw them.
 * @param correct opens the correction of a runner
 */
export function Warnings({
  race,
  correct,
}: {
  race: OrganizationEvent;
  correct: (runner: { id: string; bib: string }) => void;
}) {
  const { run } = useSession();
  const { value, message } = useLoaded<EventWarnings>(
    () =>
      run(({ client, organization }) =>
        getOrganizationEventWarnings(client, organization, race.id),
      ),
    [momentOf(race)],
  );
  const { clocks = [], dns_with_passing: dns = [] } = value ?? {};
  return (
    <>
      <Message>{message}</Message>
      {clocks.map((clock) => (
        <p key={textOf(clock)} class="notice warn" role="status">
          {textOf(clock)}
        </p>
      ))}
      {dns.length > 0 && (
        <section id="dns-with-passing" class="card stack" aria-labelledby="dns-title">
          <h3 id="dns-title">{text('dnsTitle', { count: dns.length })}</h3>
          <p class="hint">{text('dnsHint')}</p>
          <ul>
            {dns.map((runner) => (
              <DnsRow key={runner.inscription_id} runner={runner} correct={correct} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function DnsRow({
  runner: { inscription_id: id, bib_number: bib, point, time },
  correct,
}: {
  runner: Dns;
  correct: (runner: { id: string; bib: string }) => void;
}) {
  return (
    <li class="line">
      <p class="who">
        <strong>{bib ?? '–'}</strong>{' '}
        <small class="facts">{[isolated(point), shortTime(time)].join(DOT)}</small>
      </p>
      {bib !== null && (
        <RowButton name={text('dnsWrongNamed', { bib })} onClick={() => correct({ id, bib })}>
          {text('dnsWrong')}
        </RowButton>
      )}
    </li>
  );
}

/** Uploads come every few seconds, and are looked at once a minute. A correction by a person is looked at at once. */
function momentOf({ latest_batch: latest, latest_change_at: changed }: OrganizationEvent): string {
  const received = latest?.received_at ?? '';
  return `${latest?.user_id ? received : received.slice(0, 'YYYY-MM-DDTHH:MM'.length)} ${changed}`;
}

function textOf({ at, point, minutes, against }: EventWarnings['clocks'][number]): string {
  const count = Math.abs(minutes);
  const side = minutes > 0 ? 'ahead' : 'behind';
  if (at === 'start') return text(`clock.start.${side}`, { count });
  const where = at === 'finish' ? text('clock.finish') : isolated(point ?? '');
  return text(`clock.${against}.${side}`, { where, count });
}
