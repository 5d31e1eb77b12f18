import { decodeBlocks, type Encoding } from '../read/encoding.ts';

/** The number of bytes for the guess. */
const LOOKED_AT = 65_536;

/**
 * The share of words with letters outside ASCII that must fit the language. The remaining words are names from abroad.
 */
const OWN_SHARE = 0.9;

/** Languages by their letters outside ASCII, in lower case. The likelier encodings stand first. */
const WESTERN = [
  'áéíóúüñ',
  'àâçéèêëîïôùûüœæ',
  'äöüß',
  'áâãàçéêíóôõúü',
  'àèéìòóùî',
  'àçèéíïòóúü·',
  'åäöé',
  'æøåéòóô',
  'áðéíóúýþæö',
];
const LANGUAGES: readonly [encoding: Encoding, letters: readonly string[]][] = [
  ['windows-1252', WESTERN],
  [
    'windows-1250',
    ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áäéíóöőúüűß', 'čćđšž', 'ăâîşţ'],
  ],
  ['iso-8859-2', ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áéíóöőúüű']],
  ['windows-1254', ['çğıöşüâî\u0307']],
  ['windows-1257', ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž']],
  ['windows-1255', ['אבגדהוזחטיךכלםמןנסעףפץצקרשת']],
  ['windows-1251', ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ']],
  ['koi8-r', ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя']],
  ['ibm866', ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя']],
  ['windows-1253', ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ']],
  ['windows-874', ['กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮะัาำิีึืฺุูเแโใไๅ็่้๊๋์ํ']],
];

const JAPANESE =
  '名氏番号種目記録順位男子女所属時間備考のノンタイムゼッケーグロスネ完走県市田中山川本村井藤佐木美郎チム部門区通過総合途棄権高校大学一般クラブ';
/** Encodings of several bytes, each with common characters of results files. */
const EAST_ASIAN: readonly [encoding: Encoding, common: string][] = [
  ['gb18030', '名姓性别男女组号时间成绩排总净枪完赛国籍的中第公里程马拉松号码参'],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['big5', '名姓性別男女組號時間成績排總淨槍完賽國籍的第'],
  ['euc-kr', '이름성명배번기록순위남여소속시간종목완주'],
];

const COMMON_SHARE = 0.2;

/** Signs of print and of numbers, which stand between words in any language. */
const SIGNS = new Set('–—‘’“”„…°ºª«»€•№™©®´`·\u00a0\ufeff');

/**
 * Encodings of DOS and of old Macs. Any bytes are text in these encodings, so a person decides about such an encoding.
 */
const OLD: readonly Encoding[] = ['cp850', 'cp437', 'macintosh'];

/**
 * The possible encodings of a file, by the first bytes. Several encodings if the bytes do not decide.
 * @param decided the encoding in which an upload reads the file. This encoding is the answer if no encoding fits better
 */
export function likelyEncodings(
  decided: Encoding,
  block: Uint8Array = new Uint8Array(),
): readonly [Encoding, ...Encoding[]] {
  const hasNul = decided === 'utf-8' && block.includes(0);
  if (decided !== 'windows-1252' && !hasNul) return [decided];
  const bytes = wholeLines(block.subarray(0, LOOKED_AT));
  const nuls = bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  const [nulAt, lastAt] = [bytes.indexOf(0), bytes.lastIndexOf(0)];
  // A file after a crash may end with NULs alone.
  const areText = nuls > 0 && lastAt - nulAt >= nuls;
  if (areText) return [nulAt % 2 === 1 ? 'utf-16le' : 'utf-16be'];
  if (hasNul) return [decided];
  const shares = EAST_ASIAN.map(
    ([encoding, common]) => [encoding, commonShare(bytes, encoding, common)] as const,
  );
  const [best] = shares.toSorted(([, one], [, other]) => other - one);
  if (best && best[1] >= COMMON_SHARE) return [best[0]];
  const single = bestOfLanguages(bytes);
  if (single) return [single];
  return [decided, ...OLD.filter((encoding) => ownShare(bytes, encoding, WESTERN) >= OWN_SHARE)];
}

/** The encoding in which most words fit a language, or the first of several. */
function bestOfLanguages(bytes: Uint8Array): Encoding | undefined {
  let best: Encoding | undefined;
  let most = 0;
  for (const [encoding, languages] of LANGUAGES) {
    const share = ownShare(bytes, encoding, languages);
    if (share >= OWN_SHARE && share > most) [best, most] = [encoding, share];
    // No encoding can fit better, and each encoding costs milliseconds.
    if (share === 1) break;
  }
  return best;
}

/** Without the last line, which may end inside a character. */
const wholeLines = (bytes: Uint8Array): Uint8Array =>
  bytes.length < LOOKED_AT ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n'.charCodeAt(0)) + 1);

const isAscii = (character: string): boolean => character < '\u0080';

/** The words with letters outside ASCII. */
function wordsIn(bytes: Uint8Array, encoding: Encoding): string[] {
  const words = [''];
  for (const character of [...decodeBlocks([bytes], encoding)].join('')) {
    const isLetter = isAscii(character) ? ASCII_LETTERS.has(character) : !SIGNS.has(character);
    if (isLetter) words.push(`${words.pop()}${character}`);
    else if (words.at(-1) !== '') words.push('');
  }
  return words.filter((word) => !Array.from(word).every(isAscii));
}

const ASCII_LETTERS = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');

/**
 * The share of the words that fit the likeliest of the languages. In a language of another script, no word has Latin
 * letters.
 */
function ownShare(bytes: Uint8Array, encoding: Encoding, languages: readonly string[]): number {
  const words = wordsIn(bytes, encoding);
  const shares = languages.map((letters) => {
    const isLatin = letters < FIRST_GREEK;
    const known = new Set(letters);
    const isOwn = (character: string) => (isAscii(character) ? isLatin : known.has(character));
    const able = words.filter(
      (word) => Array.from(word.toLowerCase()).every(isOwn) && !hasLateCapital(word),
    );
    return words.length === 0 ? 1 : able.length / words.length;
  });
  return Math.max(...shares);
}

const FIRST_GREEK = '\u0370';

/** Whether a capital follows a small letter, as in bytes read in a wrong encoding. */
const hasLateCapital = (word: string): boolean =>
  Array.from(word).some((character, at) => {
    const before = word[at - 1] ?? '';
    return character !== character.toLowerCase() && before !== before.toUpperCase();
  });

function commonShare(bytes: Uint8Array, encoding: Encoding, common: string): number {
  // Digits of full width are in no list.
  const characters = Array.from(wordsIn(bytes, encoding).join('')).filter(
    (one) => !isAscii(one.normalize('NFKC')),
  );
  if (characters.includes('\ufffd')) return 0;
  const known = new Set(common);
  return characters.filter((character) => known.has(character)).length / characters.length;
}
