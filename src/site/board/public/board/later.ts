/**
 * Makes a function that gives a script of the page once the script has come.
 * @param load requests the script at the first call. After a failure, the next call requests the script again
 * @param loaded called when the script has come
 */
export function lazily<Script>(
  load: () => Promise<Script>,
  loaded: () => void,
): () => Script | undefined {
  let script: Script | undefined;
  let isLoading = false;
  const take = (found: Script) => {
    script = found;
    loaded();
  };
  // Without a connection, the page shows everything else.
  const wait = () => {
    isLoading = false;
  };
  return () => {
    if (script === undefined && !isLoading) {
      isLoading = true;
      load().then(take, wait);
    }
    return script;
  };
}
