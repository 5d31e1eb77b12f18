import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { partInAddress, raceInAddress, viewInAddress } from '../address.ts';
import { EventList } from '../events/events.tsx';
import { useEvents } from '../events/state.ts';
import { text } from '../formats.ts';
import { Kept, type Session, SessionContext } from '../kit.tsx';
import { later, loadLater } from '../later.tsx';
import { navigate, useAddress } from '../navigation.ts';
import { RacePage } from '../race/race.tsx';
import type { Signed } from './enter.ts';

const Keys = later(async () => (await import('../keys/keys.tsx')).Keys, { texts: 'keys' });

/** The links to the races and to the keys. */
export function Views() {
  useAddress();
  const view = viewInAddress();
  return (
    <nav id="views" class="choice" aria-label={text('views')}>
      <a href="/panel" aria-current={view !== 'keys' ? 'page' : undefined}>
        {text('eventsTitle')}
      </a>
      <a href="/panel?view=keys" aria-current={view === 'keys' ? 'page' : undefined}>
        {text('keysTitle')}
      </a>
    </nav>
  );
}

/** The page of a reader with a session. @param children the end of the bar, which a phone has at the foot */
export function SignedIn({
  signed,
  run,
  children,
}: {
  signed: Signed;
  run: Session['run'];
  children: ComponentChildren;
}) {
  useAddress();
  const view = viewInAddress();
  const race = useRef('');
  race.current = raceInAddress() || race.current;
  const place = [view, raceInAddress(), partInAddress()].join();
  const [loaded, setLoaded] = useState('');
  const isFirstShown = loaded !== '';
  useEffect(() => {
    if (isFirstShown) loadLater();
  }, [isFirstShown]);
  useLinks();
  useFocusOnTitle(view, raceInAddress());
  const session: Omit<Session, 'refresh'> = {
    userId: signed.userId,
    run,
    shown: () => setLoaded(place),
  };
  return (
    <div id="signed-in" class="stack">
      <Opened session={session} race={race.current} />
      {/* A view that waits for its rows is shorter than it will be. */}
      {loaded === place && <Foot>{children}</Foot>}
    </div>
  );
}

/** The views opened by the reader. */
function Opened({ session, race }: { session: Omit<Session, 'refresh'>; race: string }) {
  const events = useEvents(session);
  const view = viewInAddress();
  return (
    <SessionContext.Provider value={{ ...session, refresh: events.reload }}>
      <Kept isShown={view === 'events'}>
        <EventList events={events} />
      </Kept>
      <Kept isShown={view === 'keys'}>
        <Keys events={events} />
      </Kept>
      {race !== '' && (
        <Kept key={race} isShown={view === 'race'}>
          <RacePage id={race} events={events} />
        </Kept>
      )}
    </SessionContext.Provider>
  );
}

/** A link to a part of the panel opens in place, and in another tab with the browser's keys for a new tab. */
function useLinks() {
  useEffect(() => {
    const open = (event: MouseEvent) => {
      const link =
        event.target instanceof Element ? event.target.closest('a[href^="/panel"]') : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!(link instanceof HTMLAnchorElement && isPlain)) return;
      event.preventDefault();
      const before = raceInAddress() + viewInAddress();
      navigate(link.href);
      if (before !== raceInAddress() + viewInAddress()) scrollTo(0, 0);
    };
    document.addEventListener('click', open);
    return () => document.removeEventListener('click', open);
  }, []);
}

/** Moves the focus to the title of an opened view, once the title stands. */
function useFocusOnTitle(view: string, race: string) {
  const focused = useRef('');
  useEffect(() => {
    const title = document.getElementById(`${view}-title`);
    if (!title || focused.current === view + race) return;
    focused.current = view + race;
    title.focus();
  });
}

function Foot({ children }: { children: ComponentChildren }) {
  const docs = document.documentElement.lang.startsWith('es') ? '/docs/es' : '/docs';
  return (
    <footer id="foot" class="row spread hint">
      <p>
        <span>{text('sessionNote')}</span> <span>{text('membersElsewhere')}</span>
      </p>
      <p class="row">
        <a href={`${docs}/organizing`} target="_blank" rel="noopener">
          {text('guide')}
        </a>
        <a href={docs} target="_blank" rel="noopener">
          {text('docs')}
        </a>
      </p>
      {children}
    </footer>
  );
}
