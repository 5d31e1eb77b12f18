/** A registration's id in a document: 32 hexadecimal digits. */
const ID_LENGTH = 32;

/** The public names of an event. */
export type Names = {
  /** The name of a runner, by the registration's id. */
  byId: ReadonlyMap<string, string>;
  /** The runners with a passing and without a result. */
  onCourse: ReadonlySet<string>;
  /** Each name once. */
  names: readonly string[];
  /** The words for a search, made for the first search. */
  words: () => Words;
  /** The names are whole, and public before the start too. */
  isFull: boolean;
};

/**
 * The folded words of all names, in order. `namesOf` has the indexes of the names with a word, and `wordsOf` the words
 * of a name.
 */
type Words = {
  all: readonly string[];
  namesOf: readonly (readonly number[])[];
  wordsOf: readonly (readonly string[])[];
};

export const NO_NAMES: Names = {
  byId: new Map(),
  onCourse: new Set(),
  names: [],
  words: () => indexWords([]),
  isFull: false,
};

/** Cuts the ids of several registrations apart. */
export function* idsIn(ids: string): Generator<string> {
  for (let at = 0; at < ids.length; at += ID_LENGTH) yield ids.slice(at, at + ID_LENGTH);
}

/** The document of `selectNames`: by name, the ids of the runners off the course and on the course. */
type NamesDocument = {
  is_full: boolean;
  names: Record<string, [offCourse: string, onCourse: string]>;
};

/** @param before the names of the document before: equal names keep their words */
export function readNames(text: string, before?: Names): Names {
  const document: NamesDocument = JSON.parse(text);
  const byId = new Map<string, string>();
  const onCourse = new Set<string>();
  for (const [name, [ids, running]] of Object.entries(document.names)) {
    for (const id of idsIn(ids)) byId.set(id, name);
    for (const id of idsIn(running)) {
      byId.set(id, name);
      onCourse.add(id);
    }
  }
  const names = Object.keys(document.names);
  const isKnown =
    before?.names.length === names.length && names.every((name, at) => name === before.names[at]);
  let known: Words | undefined;
  const words = isKnown ? before.words : () => (known ??= indexWords(names));
  return { byId, onCourse, names, words, isFull: document.is_full };
}

function indexWords(names: readonly string[]): Words {
  const found = new Map<string, number[]>();
  const wordsOf = names.map((name, at) => {
    const words = fold(name).split(' ');
    for (const word of words) {
      const known = found.get(word);
      if (known) known.push(at);
      else found.set(word, [at]);
    }
    return words;
  });
  const all = [...found.keys()].sort();
  return { all, namesOf: all.map((word) => found.get(word) ?? []), wordsOf };
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
  { names, words, isFull }: Names,
  wanted: string,
  isFindable: (name: string) => boolean,
): Alike {
  if (isFull) return fullNamesLike(names, words(), wanted);
  const [givenName = '', ...others] = fold(wanted).split(' ');
  const { wordsOf } = words();
  const all = names
    .map((name, at) => ({ name, words: wordsOf[at] ?? [] }))
    .filter(({ name }) => givenName !== '' && isFindable(name));
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
    const found = isGivenName ? new Set([...meant, ...compound]) : meant;
    return { names: found, likeliest, areNearest: false };
  }
  if (compound.size > 0) return { names: compound, likeliest, areNearest: true };
  const near = named(([first = '']) => isNear(first, givenName));
  const nearest = named(([first = '', initial]) => isNear(first, givenName) && isInitial(initial));
  return { names: nearest.size > 0 ? nearest : near, likeliest, areNearest: true };
}

/** The full names with a word for each wanted word: a word that begins so, or else a word one letter apart. */
function fullNamesLike(names: readonly string[], words: Words, text: string): Alike {
  const wanted = new Set(fold(text).split(' '));
  wanted.delete('');
  const namesWith = (find: (one: string) => Iterable<number>) => {
    const found = wanted.size > 0 ? namesOfAll(words, [...wanted].map(find)) : [];
    return new Set(found.map((at) => names[at] ?? ''));
  };
  const meant = namesWith((one) => wordsFrom(words.all, one));
  const likeliest = namesWith((one) => wordsFrom(words.all, one, one.length));
  if (meant.size > 0) return { names: meant, likeliest, areNearest: false };
  return { names: namesWith((one) => wordsNear(words.all, one)), likeliest, areNearest: true };
}

/** The indexes of the words in order that begin so. @param lengthMax of the words */
function* wordsFrom(all: readonly string[], start: string, lengthMax = Infinity) {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((all[middle] ?? '') < start) from = middle + 1;
    else to = middle;
  }
  // A word stands before all words that begin with the word.
  for (let at = from; all[at]?.startsWith(start); at += 1) {
    if ((all[at] ?? '').length > lengthMax) break;
    yield at;
  }
}

function* wordsNear(all: readonly string[], wanted: string) {
  yield* wordsFrom(all, wanted);
  if (wanted.length < NEAR_FROM) return;
  for (const [at, word] of all.entries()) if (isNear(word, wanted)) yield at;
}

/** The indexes of the names with a word of each set. @param sets the indexes of words */
function namesOfAll({ namesOf, wordsOf }: Words, sets: readonly Iterable<number>[]): number[] {
  // An event has tens of thousands of names. The last set in which a name was found, from 1.
  const seenIn = new Uint8Array(wordsOf.length);
  let last: number[] = [];
  for (const [before, set] of sets.entries()) {
    last = [];
    for (const word of set) {
      for (const name of namesOf[word] ?? []) {
        if (seenIn[name] !== before) continue;
        seenIn[name] = before + 1;
        last.push(name);
      }
    }
    if (last.length === 0) break;
  }
  return last;
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
