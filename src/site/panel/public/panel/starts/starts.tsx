import { useEffect, useState } from 'preact/hooks';
import { getOrganizationEventStarts } from '../../client/operations/get-organization-event-starts.ts';
import { putOrganizationEventStarts } from '../../client/operations/put-organization-event-starts.ts';
import { DOT } from '../../shared/dom.ts';
import { zoneOf } from '../../shared/place-time.ts';
import type { EventStarts, OrganizationEvent } from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, textOfParts as text } from '../formats.ts';
import { Message, useAttempt, useLoaded, useSession, WorkForm } from '../kit.tsx';
import { announce } from '../page.ts';
import { isReadable, type Row, rowOf, startOfRow } from './rows.ts';

const PODIUMS_MAX = 6;

/** The starts of a race: the form for all starts, and the form for a gun that went off at another time. */
export function Starts({ race }: { race: OrganizationEvent }) {
  const { run } = useSession();
  const { value, setValue, message } = useLoaded<EventStarts>(
    () =>
      run(({ client, organization }) => getOrganizationEventStarts(client, organization, race.id)),
    [race.id, race.latest_change_at],
  );
  if (!value) return <Message>{message}</Message>;
  return (
    <div class="stack">
      <StartsForm race={race} told={value} changed={setValue} />
      {value.starts.length > 0 && <GunForm race={race} told={value} changed={setValue} />}
    </div>
  );
}

type Told = { race: OrganizationEvent; told: EventStarts; changed: (told: EventStarts) => void };

const FIELDS = ['name', 'distance', 'bibs'] as const;

function StartsForm({ race, told, changed }: Told) {
  const { run, refresh } = useSession();
  const zone = zoneOf(race.time_zone) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const rowsOf = () => told.starts.map((start) => rowOf(start, zone));
  const [rows, setRows] = useState<Row[]>(rowsOf);
  const { attempt, isBusy, message, tell } = useAttempt(text('startsUnsure'));
  useEffect(() => setRows(rowsOf()), [told.version]);
  const edit = (at: number, change: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...change } : row)));
  async function save() {
    if (!rows.every(isReadable)) return tell(text('startsWrong'));
    const starts = rows.map((row) => startOfRow(row, zone));
    const body = { version: told.version, starts };
    const stored = await run(({ client, organization }) =>
      putOrganizationEventStarts(client, organization, race.id, body),
    );
    changed(stored);
    announce(text('startsSaved', { count: stored.runners_without_start }));
    void refresh();
  }

  return (
    <WorkForm id="starts-form" class="stack" isBusy={isBusy} work={() => attempt(save)}>
      <p class="hint">{text('startsHint', { zone })}</p>
      {rows.map((row, at) => (
        <fieldset key={at} class="row">
          <legend class="strong">{row.name || text('startNew')}</legend>
          {FIELDS.map((field) => (
            <label key={field}>
              <span>{text(`start.${field}`)}</span>
              <input
                class="input"
                value={row[field]}
                onInput={({ currentTarget }) => edit(at, { [field]: currentTarget.value })}
              />
            </label>
          ))}
          <label>
            <span>{text('start.at')}</span>
            <input
              class="input"
              type="datetime-local"
              step="1"
              value={row.at}
              onInput={({ currentTarget }) => edit(at, { at: currentTarget.value })}
            />
          </label>
          <button
            type="button"
            class="button minor"
            aria-label={text('startRemoveNamed', { name: isolated(row.name) })}
            onClick={() => setRows(rows.filter((_, index) => index !== at))}
          >
            {text('startRemove')}
          </button>
        </fieldset>
      ))}
      <Message>{message}</Message>
      <p class="row">
        <button
          type="button"
          class="button"
          onClick={() =>
            setRows([
              ...rows,
              { name: '', distance: '', bibs: '', at: rows.at(-1)?.at ?? '', told: undefined },
            ])
          }
        >
          {text('startAdd')}
        </button>
        <button type="submit" class="button primary">
          {text('startsSave')}
        </button>
      </p>
    </WorkForm>
  );
}

/** Corrects a gun that went off at another time. The reader sees first what moves. */
function GunForm({ race, told, changed }: Told) {
  const { run, refresh } = useSession();
  const [at, choose] = useState(0);
  const [seconds, setSeconds] = useState('30');
  const { attempt, isBusy, message, tell } = useAttempt();
  const start = told.starts[at];

  async function ask() {
    const later = Number(seconds.replace(',', '.'));
    if (!start || !later) return tell(text('gunWrong'));
    const starts = told.starts.map((one) =>
      one === start ? { ...one, starts_at: movedBy(one.starts_at, later) } : one,
    );
    const body = { version: told.version, starts };
    const put = (dryRun: boolean) =>
      run(({ client, organization }) =>
        putOrganizationEventStarts(client, organization, race.id, body, { shift: true, dryRun }),
      );
    const { shift } = await put(true);
    if (!shift) return tell(text('gunWrong'));
    const { results, passings, podiums, official_version: version } = shift;
    const groups = podiums
      .slice(0, PODIUMS_MAX)
      .map(
        (of) =>
          [of.distance, of.gender, of.category].filter(Boolean).join(DOT) +
          `: ${of.before.join(', ')} → ${of.after.join(', ')}`,
      );
    askToConfirm({
      title: text('gunTitle'),
      name: start.name,
      facts: text('gunFacts', { seconds: later }),
      what: text('gunWhat', { results, passings }),
      intro: groups.length > 0 ? text('gunPodiums') : '',
      points: version === null ? groups : [...groups, text('gunOfficial', { version })],
      after: text('gunAfter'),
      accept: text('gunCorrect'),
      work: async () => changed(await put(false)),
      done() {
        announce(text('gunCorrected', { name: isolated(start.name) }));
        void refresh();
      },
      unsure: text('startsUnsure'),
    });
  }

  return (
    <WorkForm id="gun-form" class="stack" isBusy={isBusy} work={() => attempt(ask)}>
      <fieldset class="row">
        <legend class="strong">{text('gunLegend')}</legend>
        <label>
          <span>{text('start.name')}</span>
          <select
            class="input"
            value={at}
            onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
          >
            {told.starts.map(({ name }, index) => (
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{text('gunSeconds')}</span>
          <input
            class="input"
            inputMode="decimal"
            value={seconds}
            onInput={({ currentTarget }) => setSeconds(currentTarget.value)}
          />
        </label>
      </fieldset>
      <Message>{message}</Message>
      <p class="row">
        <button type="submit" class="button">
          {text('gunCorrect')}
        </button>
      </p>
    </WorkForm>
  );
}

/** An instant some seconds later, with the same offset. */
function movedBy(instant: string, seconds: number): string {
  const [, offset = 'Z'] = /([+-]\d\d:\d\d)$/.exec(instant) ?? [];
  const wallMs = Date.parse(`${instant.slice(0, 23)}Z`) + seconds * 1_000;
  return new Date(wallMs).toISOString().slice(0, 23) + offset;
}
