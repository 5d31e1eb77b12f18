import { useState } from 'preact/hooks';
import { hideName } from '../../client/operations/hide-name.ts';
import { listHiddenNames } from '../../client/operations/list-hidden-names.ts';
import { showName } from '../../client/operations/show-name.ts';
import { all, type HiddenName } from '../api.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import {
  Message,
  RowButton,
  useAttempt,
  useEvery,
  useLoaded,
  useSession,
  useShown,
  WorkForm,
} from '../kit.tsx';
import { announce, failureIn } from '../page.ts';
import { HiddenDistances } from './hidden-distances.tsx';

const REFRESH_MS = 4_000;

/** The runners whose names the board never shows. */
export function HiddenNames({ race }: { race: string }) {
  const { run } = useSession();
  const [bib, setBib] = useState('');
  const { attempt, isBusy, message, tell } = useAttempt();
  const hidden = useLoaded<HiddenName[]>(
    () => run(({ client, organization }) => all(listHiddenNames(client, organization, race))),
    [],
  );
  useEvery(REFRESH_MS, hidden.reload);
  useShown(hidden.value !== undefined || hidden.message !== '');

  async function hide() {
    const wanted = bib.trim().replace(/^#\s*/, '');
    try {
      await run(({ client, organization }) => hideName(client, organization, race, wanted));
    } catch (error) {
      if (failureIn(error).kind !== 'notFound') throw error;
      return tell(text('unknownBib', { bib: isolated(wanted) }));
    }
    setBib('');
    await hidden.reload();
    announce(text('bibHidden', { bib: wanted }));
  }

  async function show(shown: string) {
    await run(({ client, organization }) => showName(client, organization, race, shown));
    hidden.setValue((known) => known?.filter(({ bib_number }) => bib_number !== shown));
    announce(text('bibShown', { bib: shown }));
  }

  return (
    <div class="card block stack">
      <h3>{text('hiddenTitle')}</h3>
      <p class="hint">{text('hiddenLead')}</p>
      <WorkForm id="hide-form" class="row" isBusy={isBusy} work={() => attempt(hide)}>
        <label for="hide-bib" class="strong">
          {text('hideBib')}
        </label>
        <input
          id="hide-bib"
          class="input"
          required
          maxLength={100}
          autocomplete="off"
          value={bib}
          onInput={({ currentTarget }) => setBib(currentTarget.value)}
        />
        <button type="submit" class="button">
          {text('hide')}
        </button>
      </WorkForm>
      <Message>{message || hidden.message}</Message>
      {hidden.value?.length === 0 && (
        <p id="no-hidden" class="soft">
          {text('noHidden')}
        </p>
      )}
      <ul id="hidden-list" aria-label={text('hiddenTitle')}>
        {hidden.value?.map((runner) => (
          <Hidden
            key={runner.inscription_id}
            runner={runner}
            show={(it) => attempt(() => show(it))}
          />
        ))}
      </ul>
      <HiddenDistances race={race} />
    </div>
  );
}

function Hidden({ runner, show }: { runner: HiddenName; show: (bib: string) => unknown }) {
  const { bib_number: bib, given_names, surnames } = runner;
  const name = [given_names, surnames].filter(Boolean).join(' ');
  return (
    <li class="row">
      <span class="bib">{bib ?? '–'}</span> <strong>{name}</strong>
      {bib !== null && (
        <RowButton name={text('showNamed', { name: name || bib })} onClick={() => show(bib)}>
          {text('showName')}
        </RowButton>
      )}
    </li>
  );
}
