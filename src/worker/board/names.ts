/** A registration's id in a document: 32 hexadecimal digits. */
const ID_LENGTH = 32;

/** The public names of an event. */
export type Names = {
  /** The name of a runner, by the registration's id. */
  byId: ReadonlyMap<string, string>;
  /** The runners with a passing and without a result. */
  onCourse: ReadonlySet<string>;
  /** Each name once, with its folded words. */
  words: readonly { name: string; words: readonly string[] }[];
  /** The names are whole, and public before the start too. */
  isFull: boolean;
};

export const NO_NAMES: Names = { byId: new Map(), onCourse: new Set(), words: [], isFull: false };

/** Cuts the ids of several registrations apart. */
export function* idsIn(ids: string): Generator<string> {
  for (let at = 0; at < ids.length; at += ID_LENGTH) yield ids.slice(at, at + ID_LENGTH);
}

/** The document of `selectNames`: by name, the ids of the runners off the course and on the course. */
type NamesDocument = {
  is_full: boolean;
  names: Record<string, [offCourse: string, onCourse: string]>;
};

export function readNames(text: string): Names {
  const { is_full, names }: NamesDocument = JSON.parse(text);
  const byId = new Map<string, string>();
  const onCourse = new Set<string>();
  for (const [name, [ids, running]] of Object.entries(names)) {
    for (const id of idsIn(ids)) byId.set(id, name);
    for (const id of idsIn(running)) {
      byId.set(id, name);
      onCourse.add(id);
    }
  }
  const words = Object.keys(names).map((name) => ({ name, words: fold(name).split(' ') }));
  return { byId, onCourse, words, isFull: is_full };
}

/** A text without accents, case, dots and superfluous blanks. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim();

/** Names that a reader may mean. The names are the nearest names if no shown name matches the text. */
type Alike = {
  names: ReadonlySet<string>;
  /** The names with the initial of the last word. They are the likeliest. */
  likeliest: ReadonlySet<string>;
  areNearest: boolean;
};

/**
 * The names that a reader may mean. The first word begins the given name. A later word must have the initial of the
 * surname: `ana garcía` and `ana m g` find `Ana G.` If no later word has the initial, the second word may belong to the
 * given name: `josé antonio` finds `José P.` The second word may belong to the given name also if the word is a given
 * name on the board. Else given names count that differ in a letter: with the initial, if any name has the initial.
 * @param isFindable whether a runner of this name can be found
 */
export function namesLike(
  { words, isFull }: Names,
  wanted: string,
  isFindable: (name: string) => boolean,
): Alike {
  if (isFull) return fullNamesLike(words, wanted);
  const [givenName = '', ...others] = fold(wanted).split(' ');
  const all = words.filter(({ name }) => givenName !== '' && isFindable(name));
  const named = (isMeant: (words: readonly string[]) => boolean) =>
    new Set(all.filter((one) => isMeant(one.words)).map(({ name }) => name));
  const begins = (word = '', initial = '') => initial !== '' && word.startsWith(initial);
  const isInitial = (initial?: string) => others.some((word) => begins(word, initial));
  const meant = named(([first = '', initial]) =>
    others.length === 0 ? first.startsWith(givenName) : first === givenName && isInitial(initial),
  );
  const last = others.at(-1);
  const likeliest = named(([first, initial]) => first === givenName && begins(last, initial));
  const compound = named(([first]) => others.length > 0 && first === givenName);
  const isGivenName = others.length === 1 && all.some(({ words: [first] }) => first === last);
  if (meant.size > 0) {
    const names = isGivenName ? new Set([...meant, ...compound]) : meant;
    return { names, likeliest, areNearest: false };
  }
  if (compound.size > 0) return { names: compound, likeliest, areNearest: true };
  const near = named(([first = '']) => isNear(first, givenName));
  const nearest = named(([first = '', initial]) => isNear(first, givenName) && isInitial(initial));
  return { names: nearest.size > 0 ? nearest : near, likeliest, areNearest: true };
}

/** The full names with a word for each wanted word: a word that begins so, or else a word one letter apart. */
function fullNamesLike(all: Names['words'], text: string): Alike {
  const wanted = fold(text)
    .split(' ')
    .filter((word) => word !== '');
  const [names, likeliest] = [new Set<string>(), new Set<string>()];
  if (wanted.length === 0) return { names, likeliest, areNearest: false };
  // An event has tens of thousands of names: plain loops take a third of the time of calls.
  for (const { name, words } of all) {
    const likeness = likenessOf(words, wanted);
    if (likeness > 0) names.add(name);
    if (likeness > 1) likeliest.add(name);
  }
  if (names.size > 0) return { names, likeliest, areNearest: false };
  const isLike = (word: string, one: string) => word.startsWith(one) || isNear(word, one);
  const near = all.filter(({ words }) =>
    wanted.every((one) => words.some((word) => isLike(word, one))),
  );
  return { names: new Set(near.map(({ name }) => name)), likeliest, areNearest: true };
}

/** 2 if each wanted word is a word of the name, 1 if each begins a word, or else 0. */
function likenessOf(words: readonly string[], wanted: readonly string[]): 0 | 1 | 2 {
  let likeness: 1 | 2 = 2;
  for (const one of wanted) {
    let [isFound, isWhole] = [false, false];
    for (const word of words) {
      if (!word.startsWith(one)) continue;
      isFound = true;
      if (word.length === one.length) isWhole = true;
    }
    if (!isFound) return 0;
    if (!isWhole) likeness = 1;
  }
  return likeness;
}

/** A shorter word is near to too many words. */
const NEAR_FROM = 4;

/** Whether two words differ in a letter: replaced, added, missing, or two letters in exchanged places. */
function isNear(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < NEAR_FROM || Math.abs(one.length - other.length) > 1) {
    return false;
  }
  const [long, short] = one.length < other.length ? [other, one] : [one, other];
  let at = 0;
  while (at < short.length && long[at] === short[at]) at += 1;
  const rest = (word: string, from: number) => word.slice(at + from);
  if (long.length > short.length) return rest(long, 1) === rest(short, 0);
  const isSwapped = long[at] === short[at + 1] && long[at + 1] === short[at];
  return rest(long, 1) === rest(short, 1) || (isSwapped && rest(long, 2) === rest(short, 2));
}
