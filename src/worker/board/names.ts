/** A registration's id in a document: 32 hexadecimal digits. */
export const ID_LENGTH = 32;

/** The public names of an event. */
export type Names = {
  /** The name of a runner, by the registration's id. */
  byId: ReadonlyMap<string, string>;
  /** Each name once, with its folded words. */
  words: readonly { name: string; words: readonly string[] }[];
};

export const NO_NAMES: Names = { byId: new Map(), words: [] };

/** Cuts the ids of several registrations apart. */
export function* idsIn(ids: string): Generator<string> {
  for (let at = 0; at < ids.length; at += ID_LENGTH) yield ids.slice(at, at + ID_LENGTH);
}

/** Reads the document of `selectNames`: the ids of the runners of each name. */
export function readNames(text: string): Names {
  const document: Record<string, string> = JSON.parse(text);
  const byId = new Map<string, string>();
  for (const [name, ids] of Object.entries(document)) {
    for (const id of idsIn(ids)) byId.set(id, name);
  }
  const words = Object.keys(document).map((name) => ({ name, words: fold(name).split(' ') }));
  return { byId, words };
}

/** A text without accents, case, dots and superfluous blanks. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim();

/**
 * The names that a reader may mean. The first word begins the given name. Of the words after it, one has the
 * initial of the surname: `ana garcía` and `ana m g` are found as `Ana G.`
 */
export function namesLike({ words }: Names, wanted: string): ReadonlySet<string> {
  const [given = '', ...others] = fold(wanted).split(' ');
  const matches = words.filter(({ words: [first = '', initial] }) =>
    others.length === 0
      ? first.startsWith(given)
      : first === given && others.some((word) => initial && word.startsWith(initial)),
  );
  return new Set(given === '' ? [] : matches.map(({ name }) => name));
}
