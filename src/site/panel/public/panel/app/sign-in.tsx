import type { ComponentProps } from 'preact';
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

  const isOver = refused.failure?.kind === 'signedOut';
  const form = (
    <WorkForm class="stack" autocomplete="off" isBusy={isBusy} work={() => send()}>
      <Field
        id="organization"
        problem={isUuid(typedId) ? '' : text('organizationWrong')}
        value={organization}
        onInput={({ currentTarget }) => setOrganization(currentTarget.value)}
      />
      <Field
        id="token"
        type="password"
        problem={isToken(typedToken) ? '' : text('tokenWrong')}
        hint={text('tokenHint')}
        value={token}
        onInput={({ currentTarget }) => setToken(currentTarget.value)}
      />
      <button type="submit" class="button primary">
        {text('signIn')}
      </button>
    </WorkForm>
  );
  return (
    <section id="sign-in" class="sign-in stack" aria-labelledby="sign-in-title">
      <h1 id="sign-in-title" ref={title} tabIndex={-1}>
        {text(isOver ? 'sessionOver' : 'signIn')}
      </h1>
      {!isOver && <p class="lead soft">{text('signInLead')}</p>}
      <Message>{failure ? text(`failures.${failure.kind}`) : ''}</Message>
      <WayBack />
      <div class="card">
        {isOver ? (
          <details>
            <summary>{text('pasteSession')}</summary>
            {form}
          </details>
        ) : (
          form
        )}
      </div>
    </section>
  );
}

/** A field of the session, with its name. */
const Field = ({
  id,
  hint,
  ...rest
}: ComponentProps<typeof ValidInput> & { id: 'organization' | 'token'; hint?: string }) => (
  <div class="field">
    <label for={id} class="strong">
      {text(id)}
    </label>
    <ValidInput
      {...rest}
      id={id}
      class="input mono"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby={hint && `${id}-hint`}
    />
    {hint && (
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    )}
  </div>
);

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
