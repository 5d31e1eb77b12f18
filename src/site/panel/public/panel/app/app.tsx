import { useEffect, useRef, useState } from 'preact/hooks';
import { LANGUAGES } from '../../../../../timing-files/write/languages.ts';
import { getOrganization } from '../../client/operations/get-organization.ts';
import { type Api, ask, createApi, type Known, SessionEnded } from '../api.ts';
import { askToConfirm, closeConfirmation } from '../dialogs.tsx';
import { chooseLanguage, text } from '../formats.ts';
import type { Session } from '../kit.tsx';
import { announce, failureIn } from '../page.ts';
import { forgetSession } from '../session.ts';
import { forgetTyped, keepTyped } from '../typed.ts';
import {
  type Credentials,
  enter,
  enterFromLink,
  isSigned,
  type Link,
  type Refused,
  type Signed,
} from './enter.ts';
import { SignIn } from './sign-in.tsx';
import { SignedIn, Views } from './signed-in.tsx';

type Entered = Signed | Refused | 'waiting';

/** The page. @param first the outcome of the link or of the kept session */
export function App({ first }: { first: Signed | Refused }) {
  const [entered, setEntered] = useState<Entered>(first);
  const [language, setLanguage] = useState(document.documentElement.lang);
  /** The session of which answers still count. */
  const current = useRef<Entered>(first);
  const change = (now: Entered) => {
    current.current = now;
    setEntered(now);
  };
  const signed = entered !== 'waiting' && isSigned(entered) ? entered : undefined;
  useNewLink(change);
  useEffect(() => {
    if (signed?.link) void askToMove(signed.organization.name, signed.link, change);
  }, [signed]);
  useEffect(() => {
    if (!signed) document.title = text('signIn');
  }, [signed, language]);

  async function speak(code: string) {
    const isLoaded = await chooseLanguage(code).then(
      () => true,
      () => false,
    );
    if (isLoaded) setLanguage(document.documentElement.lang);
    else announce(text('failures.unreachable'));
  }

  async function signIn(credentials: Credentials) {
    const now = await enter(credentials);
    if (isSigned(now)) change(now);
    return isSigned(now) ? undefined : now;
  }

  const controls = (
    <div class="bar-end row">
      {signed && (
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            leave();
            forgetTyped();
            change({ organization: '' });
          }}
        >
          {text('signOut')}
        </button>
      )}
      <Languages language={language} speak={speak} />
    </div>
  );
  return (
    <>
      <a class="skip" href="#content">
        {text('skip')}
      </a>
      <header class="bar row spread">
        <p class="brand row strong">
          <img src="/favicon.svg" alt="" width={32} height={32} />
          <span id={signed && 'organization-name'}>
            {signed?.organization.name ?? 'Race Results API'}
          </span>
        </p>
        {signed && <Views />}
        {controls}
      </header>
      <main id="content" tabIndex={-1}>
        {entered === 'waiting' ? (
          <p class="waiting empty soft" role="status">
            {text('signingIn')}
          </p>
        ) : isSigned(entered) ? (
          <SignedIn
            signed={entered}
            run={runOf(entered, () => current.current === entered, change)}
          >
            {controls}
          </SignedIn>
        ) : (
          <SignIn refused={entered} enter={signIn} />
        )}
      </main>
    </>
  );
}

const Languages = ({ language, speak }: { language: string; speak: (code: string) => unknown }) => (
  <fieldset class="choice" aria-label={text('language')} title={text('language')}>
    {Object.entries(LANGUAGES).map(([code, name]) => (
      <button
        key={code}
        type="button"
        lang={code}
        data-language={code}
        aria-label={`${code.toUpperCase()}, ${name}`}
        aria-pressed={code === language}
        onClick={() => speak(code)}
      >
        {code.toUpperCase()}
      </button>
    ))}
  </fieldset>
);

/** Forgets the session. A visible secret stays until the reader has saved it. */
function leave() {
  forgetSession();
  closeConfirmation();
}

/** Asks before a link takes the reader into another organization. */
async function askToMove(from: string, link: Link, change: (now: Entered) => void) {
  try {
    const api = createApi(link.organization, link.token);
    const { name: to } = await ask(() => getOrganization(api.client, api.organization));
    askToConfirm({
      title: text('move.title'),
      name: to,
      what: text('move.what', { from, to }),
      after: text('move.after', { to }),
      accept: text('move.accept', { to }),
      work: async () => {},
      async done() {
        leave();
        change('waiting');
        change(await enter(link, link.returnTo));
      },
      unsure: '',
    });
  } catch (error) {
    failureIn(error);
    announce(text('linkRefused', { name: from }));
  }
}

/** A link opened in this page changes only the fragment. */
function useNewLink(change: (now: Entered) => void) {
  useEffect(() => {
    const open = async () => {
      if (!new URLSearchParams(location.hash.slice(1)).get('token')) return;
      closeConfirmation();
      change('waiting');
      change(await enterFromLink());
    };
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, []);
}

/** Runs requests of a session, which ends if the API refuses a request. */
function runOf(
  asked: Signed,
  isCurrent: () => boolean,
  end: (refused: Refused) => void,
): Session['run'] {
  return async <Answer,>(request: (api: Api) => PromiseLike<Answer>): Promise<Known<Answer>> => {
    if (!isCurrent()) throw new SessionEnded();
    try {
      const answer = await ask(() => request(asked.api));
      if (isCurrent()) return answer;
    } catch (error) {
      const failure = failureIn(error);
      const isOver = failure.kind === 'signedOut' || failure.kind === 'forbidden';
      if (isCurrent() && !isOver) throw failure;
      if (isCurrent()) {
        const { id } = asked.organization;
        leave();
        keepTyped({ organization: id, userId: asked.userId, address: location.search });
        end({ organization: id, failure });
      }
    }
    throw new SessionEnded();
  };
}
