import { byId, writeTexts } from '../shared/dom.ts';
import { showLanguage } from '../shared/language.ts';
import { goTo, onAddress, parameter } from './address.ts';
import { hasTexts, loadTexts, text } from './formats.ts';

export const isWall = () => parameter('screen') !== null;

/** The language of the page: chosen by the reader, or else of the browser. */
export const askedLanguage = (): string => parameter('lang') ?? navigator.language;

/** Keeps language, colours and size in step with the address. Later listeners of the address see the new values. */
export function wirePreferences() {
  const root = document.documentElement;
  const theme = byId('theme', HTMLButtonElement);
  const screen = byId('screen', HTMLButtonElement);
  const systemDark = matchMedia('(prefers-color-scheme: dark)');

  function apply() {
    speak(askedLanguage());
    writeTexts(document, text);
    const chosen = parameter('theme');
    const dark = chosen === 'dark' || (chosen !== 'light' && systemDark.matches);
    root.style.colorScheme = dark ? 'dark' : 'light';
    theme.setAttribute('aria-pressed', String(dark));
    root.classList.toggle('screen', isWall());
    screen.setAttribute('aria-pressed', String(isWall()));
    void keepAwake();
  }

  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      goTo({ lang: button.getAttribute('data-language') ?? undefined }, false);
    });
  }
  theme.addEventListener('click', () => {
    goTo({ theme: root.style.colorScheme === 'dark' ? 'light' : 'dark' }, false);
  });
  screen.addEventListener('click', () => {
    goTo({ screen: isWall() ? undefined : '' }, false);
  });
  systemDark.addEventListener('change', apply);
  document.addEventListener('visibilitychange', () => void keepAwake());
  onAddress(apply);
  apply();
}

/** The page keeps its language until the texts of the next language have come. */
function speak(code: string) {
  if (hasTexts(code)) showLanguage(code);
  else
    loadTexts(code).then(
      () => goTo({}, false),
      () => {},
    );
}

/** The lock of the wall's screen. */
let lock: WakeLockSentinel | undefined;

/** A wall's screen does not go to sleep. The browser ends the lock when the page is hidden. */
async function keepAwake() {
  if (!isWall() || document.hidden) {
    await lock?.release();
    lock = undefined;
    return;
  }
  if (lock && !lock.released) return;
  // A browser in power saving refuses. The wall works without the lock.
  lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
}
