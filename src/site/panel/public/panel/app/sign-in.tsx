import { useEffect, useRef, useState } from 'preact/hooks';
import { isUuid } from '../address.ts';
import { text } from '../formats.ts';
import { Message, ValidInput, WorkForm } from '../kit.tsx';
import { keptReturn } from '../session.ts';
import { type Credentials, isToken, type Refused } from './enter.ts';

/** The form for signing in. @param enter says why the reader is refused */
export function SignIn({
  refused,
  enter,
}: {
  refused: Refused;
  enter: (credentials: Credentials) => Promise<Refused | undefined>;
}) {
  const [organization, setOrganization] = useState(refused.organization);
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState(refused.failure);
  const [isBusy, setBusy] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const typedToken = token.replace(/\s/g, '');
  const typedId = organization.trim();

  async function send() {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const now = await enter({ organization: typedId, token: typedToken });
    setBusy(false);
    setFailure(now?.failure);
    // A sent token is not kept in the form, unless no answer came.
    if (['signedOut', 'forbidden', 'notFound'].includes(now?.failure?.kind ?? '')) setToken('');
  }

  return (
    <section id="sign-in" class="sign-in stack" aria-labelledby="sign-in-title">
      <h1 id="sign-in-title" ref={title} tabIndex={-1}>
        {text('signInTitle')}
      </h1>
      <p class="lead soft">{text('signInLead')}</p>
      <WayBack />
      <WorkForm class="card stack" autocomplete="off" isBusy={isBusy} work={() => send()}>
        <Message>{failure ? text(`failures.${failure.kind}`) : ''}</Message>
        <div class="field">
          <label for="organization" class="strong">
            {text('organization')}
          </label>
          <ValidInput
            id="organization"
            class="input mono"
            problem={isUuid(typedId) ? '' : text('organizationWrong')}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={organization}
            onInput={({ currentTarget }) => setOrganization(currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="token" class="strong">
            {text('token')}
          </label>
          <ValidInput
            id="token"
            class="input mono"
            type="password"
            problem={isToken(typedToken) ? '' : text('tokenWrong')}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="token-hint"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <p id="token-hint" class="hint">
            {text('tokenHint')}
          </p>
        </div>
        <button type="submit" class="button primary">
          {text('signIn')}
        </button>
      </WorkForm>
    </section>
  );
}

/** How the reader gets a new session: through the organization's own panel. */
function WayBack() {
  const address = keptReturn();
  if (!address) return null;
  return (
    <div id="way-back" class="notice info stack">
      <p>{text('comeBack')}</p>
      <a class="button" href={address.href} rel="noreferrer">
        {text('backTo', { host: address.host })}
      </a>
    </div>
  );
}
