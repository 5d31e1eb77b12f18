import type { ComponentChild } from 'preact';
import { Failure } from './api.ts';
import { loadTextsOfParts } from './formats.ts';
import { useLoaded } from './kit.tsx';
import { Trouble } from './trouble.tsx';

/** Loads a script of the page, and the texts of the parts. Throws a Failure. */
export const loadNow = <Script,>(load: () => Promise<Script>): Promise<Script> =>
  Promise.all([load(), loadTextsOfParts()]).then(
    ([script]) => script,
    () => {
      throw new Failure('unreachable');
    },
  );

const loaders: (() => Promise<unknown>)[] = [];

/**
 * Loads the later parts once the first view stands: a deployment may replace the scripts before the reader opens
 * another part. On a failure, the part shows the failure when opened.
 */
export const loadLater = () => Promise.allSettled(loaders.map((load) => load()));

/** A component whose script loads when the reader first sees the component. */
export function later<Props extends object>(load: () => Promise<(props: Props) => ComponentChild>) {
  let loaded: ((props: Props) => ComponentChild) | undefined;
  const keep = async () => {
    loaded = await loadNow(load);
    return loaded;
  };
  loaders.push(keep);
  return function Later(props: Props) {
    const { value = loaded, message, reload } = useLoaded(async () => loaded ?? keep(), []);
    if (!value) return <Trouble message={message} retry={reload} />;
    const Part = value;
    return <Part {...props} />;
  };
}
