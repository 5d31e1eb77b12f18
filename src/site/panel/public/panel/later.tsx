import type { ComponentChild } from 'preact';
import { Failure } from './api.ts';
import { loadTexts } from './formats.ts';
import { useLoaded } from './kit.tsx';
import type { TextsOf } from './languages.ts';
import { Trouble } from './trouble.tsx';

type Texts = Exclude<TextsOf, 'page'>;

/** Loads a script of the page, and its texts. Throws a Failure. */
export const loadNow = <Script,>(
  load: () => Promise<Script>,
  texts: Texts = 'parts',
): Promise<Script> =>
  Promise.all([load(), loadTexts(texts)]).then(
    ([script]) => script,
    () => {
      throw new Failure('unreachable');
    },
  );

let tellFirstView = () => {};
const firstView = new Promise<void>((resolve) => {
  tellFirstView = resolve;
});

/** Loads the styles for paper, which stand behind the styles of the page. */
function loadPaper() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('.later-style:not([rel])')) {
    link.rel = 'stylesheet';
    document.head.append(link);
  }
}

/** Loads the later parts once the first view stands, and the parts that these parts name. */
export function loadLater() {
  tellFirstView();
  loadPaper();
}

/**
 * A component whose script loads when the reader first sees the component, at the latest after the first view.
 * @param waits for a component without a link or button of its own: the script leaves a slow line to the first view
 */
export function later<Props extends object>(
  load: () => Promise<(props: Props) => ComponentChild>,
  { texts = 'parts', waits = false }: { texts?: Texts; waits?: boolean } = {},
) {
  let loaded: ((props: Props) => ComponentChild) | undefined;
  const keep = async () => {
    loaded = await loadNow(load, texts);
    return loaded;
  };
  // A deployment may replace the scripts before the reader opens the part. A failure shows in the opened part.
  firstView.then(keep).catch(() => {});
  return function Later(props: Props) {
    const {
      value = loaded,
      message,
      reload,
    } = useLoaded(async () => {
      if (waits) await firstView;
      return loaded ?? keep();
    }, []);
    if (!value) return <Trouble message={message} retry={reload} />;
    const Part = value;
    return <Part {...props} />;
  };
}
