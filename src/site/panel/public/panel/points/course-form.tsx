import { useEffect, useState } from 'preact/hooks';
import { getOrganizationEventPoints } from '../../client/operations/get-organization-event-points.ts';
import { putOrganizationEventPoints } from '../../client/operations/put-organization-event-points.ts';
import { DOT } from '../../shared/dom.ts';
import type { EventPoints, OrganizationEvent } from '../api.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import { Message, useAttempt, useLoaded, useSession, WorkForm } from '../kit.tsx';
import { announce } from '../page.ts';
import { isReadable, movedUp, pointsOfRows, type Row, rowOf } from './rows.ts';

/** The points of the course in their order, with their kilometres. Untold points come from the passings. */
export function Course({ race }: { race: OrganizationEvent }) {
  const { run } = useSession();
  const { value, setValue, message } = useLoaded<EventPoints>(
    () =>
      run(({ client, organization }) => getOrganizationEventPoints(client, organization, race.id)),
    [race.id, race.latest_change_at],
  );
  if (!value) return <Message>{message}</Message>;
  return <CourseForm race={race} told={value} changed={setValue} />;
}

const FIELDS = ['name', 'distance', 'km'] as const;

function CourseForm({
  race,
  told,
  changed,
}: {
  race: OrganizationEvent;
  told: EventPoints;
  changed: (told: EventPoints) => void;
}) {
  const { run, refresh } = useSession();
  const [rows, setRows] = useState<Row[]>(() => told.points.map(rowOf));
  const { attempt, isBusy, message, tell } = useAttempt(text('startsUnsure'));
  useEffect(() => setRows(told.points.map(rowOf)), [told.version]);

  async function save() {
    if (!rows.every(isReadable)) return tell(text('courseWrong'));
    const body = { version: told.version, points: pointsOfRows(rows) };
    const stored = await run(({ client, organization }) =>
      putOrganizationEventPoints(client, organization, race.id, body),
    );
    changed(stored);
    announce(text('courseSaved', { count: stored.points.length }));
    void refresh();
  }

  return (
    <WorkForm id="course-form" class="stack" isBusy={isBusy} work={() => attempt(save)}>
      <p class="hint">{text('courseHint')}</p>
      {rows.map((row, at) => (
        <PointRow key={at} row={row} at={at} rows={rows} setRows={setRows} />
      ))}
      <Message>{message}</Message>
      <p class="row">
        <button
          type="button"
          class="button"
          onClick={() =>
            setRows([...rows, { name: '', distance: rows.at(-1)?.distance ?? '', km: '' }])
          }
        >
          {text('pointAdd')}
        </button>
        <button type="submit" class="button primary">
          {text('courseSave')}
        </button>
      </p>
    </WorkForm>
  );
}

function PointRow({
  row,
  at,
  rows,
  setRows,
}: {
  row: Row;
  at: number;
  rows: readonly Row[];
  setRows: (rows: Row[]) => void;
}) {
  const what = [row.name, row.distance].filter(Boolean).map(isolated).join(DOT);
  return (
    <fieldset class="row">
      <legend class="strong">{what || text('pointNew')}</legend>
      {FIELDS.map((field) => (
        <label key={field}>
          <span>{text(`coursePoint.${field}`)}</span>
          <input
            class="input"
            inputMode={field === 'km' ? 'decimal' : 'text'}
            value={row[field]}
            onInput={({ currentTarget }) =>
              setRows(rows.with(at, { ...row, [field]: currentTarget.value }))
            }
          />
        </label>
      ))}
      {at > 0 && (
        <button
          type="button"
          class="button minor"
          aria-label={text('pointUpNamed', { name: what })}
          onClick={() => setRows(movedUp(rows, at))}
        >
          {text('pointUp')}
        </button>
      )}
      <button
        type="button"
        class="button minor"
        aria-label={text('pointRemoveNamed', { name: what })}
        onClick={() => setRows(rows.toSpliced(at, 1))}
      >
        {text('startRemove')}
      </button>
    </fieldset>
  );
}
