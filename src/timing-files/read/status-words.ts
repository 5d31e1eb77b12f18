import { Pattern } from './pattern.ts';
import { RESULT_STATUSES, type ResultStatus } from './result-status.ts';
import { copied, cutTo, plainDigits } from './text.ts';
import { onFirstUse, plainName, plainWords } from './words.ts';

/** The words of timing software and clubs for each status, without accents and signs. */
export const STATUS_WORDS: Record<ResultStatus, string> = {
  FINISHED: `finished, finish, finisher, fin, ok, classified, completed, complete, official,
    classe, classee, termine, arrive, arrivee, finalizado, finalizada, terminado, terminada, llego,
    clasificado, clasificada, concluiu, concluido, finalizou, classificado, classificata,
    classificato, arrivato, arrivata, acabat, acabada, classificat, im ziel, gewertet, klassiert,
    beendet, gefinisht, voltooid, ukonczyl, ukonczony, maalissa, i mal, fullfort, godkand, dokoncil,
    bitirdi, celba ert, finiseerinud, finisavo, finisejis, finiseja, zavrsio, zavrsila, selesai, hoan thanh,
    סיים, фінішував, finalizados, 完赛, 完賽, 完走, 完成, 完了, 완주, финишировал, финишировала, финиш,
    закончил, จบ, จบการแข่งขัน, τερματισε,
    tamat`,
  DNF: `dnf, did not finish, abandon, abandons, abandonne, abandono, abandonado, abandonament,
    abandonou, ab, abd, aband, ret, retired, retirado, retirada, ritirato, ritirata, retirat, rit,
    no finalizo, no finalizado, no termino, no llego, nao terminou, nao concluiu, desistiu,
    desistencia, desistente, no acabat, no finalitzat, non arrive, non termine, non arrivato,
    dropped, drop, pul, dnp, withdrawn, withdrew, pulled, nf, otl, hd, hors delai, fuera de tiempo,
    fuera de control, fora de tempo, fora de control, aufgegeben, aufgabe, aufg, ausgeschieden,
    nicht im ziel, nicht beendet, opgegeven, uitgevallen, nie ukonczyl, nieukonczony,
    keskeytti, keskeyttanyt, kesk, brutit, brot, brutt, utgatt, udgaet, not finished, rtd, timed out,
    time out, timeout, over time, unfinished, no meta, no llega, nedokoncil, nedokoncila, vzdal, vzdala, katkestas, katkestanud, nebaige, nefinisavo, izstajas, nefinisejis, odst, odstop,
    odstopil, odstopila, odustao, odustala, lauk ekki, haetti, bo cuoc, tidak finish, erretiratua, פרש, انسحب,
    зіишов, зіишла, не финиш, не фініш,
    odstoupil, odstoupila, terk, bitirmedi, feladta, nem ert celba, hors temps, hors limite, 未完赛, 未完賽, 未完走, 退赛, 退賽, 弃赛, 棄賽, 中途退赛, 途中棄権, 棄権, リタイア, リタイヤ, 途中リタイア, 기권,
    중도포기, сошел, сошла, сход, не финишировал, не финишировала, не закончил, снят врачом, снята врачом, ไม่จบ, ไม่จบการแข่งขัน,
    ออกจากการแข่งขัน, ถอนตัว, dnf cut off, cut off, cutoff, out of time, εγκατελειψε, εγκαταλειψη,
    izstajies, izstajusies, odstupil, odstupila, abandonat, nu a terminat, отк, отказал се, отказала се, не е финиширал, не е финиширала, bitiremedi, terk etti, zszedl, zeszla, rezygnacja, kiallt, nedobehl, nedobehla, ei lopetanud, pasitrauke, issitojo, utgick, ej fullfort, ikke fullfort, ikke fuldfort, gav op, opgave, niet gefinisht, ausgestiegen, nao finalizou, desist, no acaba, no completa, αποχωρησε, δεν τερματισε, не фінішував, не фінішувала, לא סיים, לא סיימה, פרשה, منسحب, لم ينه, لم يكمل, tidak selesai, gagal finish, mengundurkan diri, khong hoan thanh, nije zavrsio, nije zavrsila, haetti keppni, lauk ekki keppni, ez du amaitu,
    tidak tamat`,
  DNS: `dns, did not start, scr, scratched, no show, noshow, absent, absente, abs, forfait, ff, non partant,
    non partante, non parti, np, no salio, no sale, no presentado, no presentada, no se presento,
    no tomo la salida, ausente, nao largou, nao compareceu, nao partiu, faltou, no presentat,
    no ha sortit, no sortit, assente, non partito, non partita, nicht gestartet,
    nicht angetreten, n ang, nicht am start, ng, niet gestart, nie wystartowal, nie wystartowala,
    ei startannut, ej start, ej startat, ikke startet, ikke start, not started, n s, ns, no largo,
    no partio, no corrio, no comparecio, no se presenta, non starter, nonstarter, n p, startet ikke, ikke modt,
    ei lahtenyt, ei laht, ei startinud, nestartavo, nestarteja, ni startal, ni startala, nije startao,
    nije startala, khong xuat phat, tidak start, не старт, не стартував, не стартувала, nestartoval, nestartovala, nenastoupil, nenastoupila, baslamadi, katilmadi, nem indult,
    nie startowal, nie startowala, 未起跑, 未出发, 未出發, 未参赛, 缺席, 未出走, 不出走, 欠場, 欠席, 不参加, 미출발,
    불참, не стартовал, не стартовала, не явился, не явилась, неявка, н с, н я, н ст, ไม่ออกตัว, ไม่มา,
    ไม่ได้ออกตัว, δεν εκκινησε,
    nav startejis, nav startejusi, nenastupil, nenastupila, neprezentat, neprezentata, nu a luat startul, нс, не е стартирал, не е стартирала, н старт, nieobecny, nieobecna, nem jelent meg, start almadi, nije nastupio, nije nastupila, maetti ekki, ikke mott, niet vertrokken, nicht angetr, no asiste, no asistio, δεν ξεκινησε, לא התחיל, לא התחילה, لم يبدأ, غائب, tidak hadir, khong tham gia, ez da aurkeztu,
    nije startovao, nije startovala, tidak mula`,
  DSQ: `dsq, dq, dqf, disq, disqualified, disqualifie, disqualifiee, descalificado, descalificada,
    desc, descal, disqualifiziert, squalificato, squalificata, squal, sq, desclassificado,
    desclassificada, desqualificado, desqualificada, desqualificat, desq,
    gediskwalificeerd, gedisk, dyskwalifikacja, dyskw, missing punch, mispunched, mispunch, diskvalificiran, diskvalificirana, diskvalifitseeritud,
    diskvalifikuotas, diskvalifikuota, diskvalificets, hylatty, hyl, diskvalificerad,
    diskvalifisert, diskvalificeret, disk, diskad, disket, diskvalifikovan, diskvalifikovana, diskalifiye,
    kizarva, 取消资格, 取消資格, 取消成绩, 犯规, 失格, 실격, дисквалификация, дисквалифицирован,
    дисквалифицирована, дискв, дск, снят, снята, снятие, ตัดสิทธิ์, ถูกตัดสิทธิ์, ακυρος, ακυρωση,
    squ, diskv, descalificat, descalificata, diskalifiye edildi, знятий, знята, נפסל, נפסלה, مستبعد, diskualifikasi, domdur ur leik, kanporatua,
    ακυρωθηκε`,
};

const statusOf = onFirstUse(
  () =>
    new Map(
      RESULT_STATUSES.flatMap((status) =>
        STATUS_WORDS[status].split(',').map((word) => [plainWords(word), status] as const),
      ),
    ),
);

const NO_VALUE = new Pattern(
  /^(n\/a|n\\a|nan|nat|none|null|nil|<na>|#(n\/a|value!|valor!|wert!|valeur!|ref!|bezug!|div\/0!|name\?|num!|null!)|\*+)$/i,
);

/** Whether a cell is a program's word for a missing value. */
export const isNoValue = (cell: string): boolean => NO_VALUE.test(cell.trim());

/** Beginnings common to all forms of a word. */
const BEGINNINGS: [Pattern, ResultStatus][] = [
  [new Pattern(/^(abandon|retir|ritir|desist)/), 'DNF'],
  [new Pattern(/^(descal|desqual|desclass|disqual|diskval|disq|squal|dyskwal)/), 'DSQ'],
  [
    new Pattern(/^(no pres|no sal|no larg|non part|nao larg|nicht gest|nicht anget|did not start)/),
    'DNS',
  ],
];

const LETTER = new Pattern(/\p{L}/u);
/** "Nicht angetreten". Without dots, the text is a missing value. */
const NOT_STARTED = new Pattern(/^\s*n\.\s?a\.?\s*$/i);
/** As in D.N.F. */
const DOT_INSIDE = new Pattern(/(?<=\p{L})\.(?=\p{L})/gu);

/** No status is longer. A file of different long words costs little more than a file of short words. */
export const STATUS_LENGTH_MAX = 40;
/** So many different words of a file are understood, and remembered. */
export const WORDS_MAX = 10_000;

/** The most likely status of a whole text; undefined for unknown words. */
export const guessStatus = (text: string): ResultStatus | undefined => meaningsOf(text).whole;

/** The statuses of runners without a result. */
type Unfinished = Exclude<ResultStatus, 'FINISHED'>;

/**
 * The status of a runner without a start or a finish, by the first words of a text: `DNF knee`, `aufgegeben km 20`,
 * `途中棄権20km`. Short words with further meanings count only alone: `ab`, `np`, `ret`.
 */
export const statusAtStart = (text: string): Unfinished | undefined => meaningsOf(text).atStart;

type Meanings = { whole: ResultStatus | undefined; atStart: Unfinished | undefined };

const NO_MEANING: Meanings = { whole: undefined, atStart: undefined };

/** The answers to both questions. The answers are remembered, because a file repeats a few words in many rows. */
function meaningsOf(text: string): Meanings {
  const start = cutTo(STATUS_LENGTH_MAX, text);
  const known = remembered.get(start);
  if (known) return known;
  if (!LETTER.test(start)) return NO_MEANING;
  const plain = plainName(DOT_INSIDE.replace(plainDigits(start), ''));
  const meaning = meaningOf(plain);
  const first = meaning ?? meaningOfStart(BEFORE_NUMBER.replace(plain, ' '));
  const meanings = {
    whole: NOT_STARTED.test(start) ? 'DNS' : meaning,
    atStart: first === 'FINISHED' ? undefined : first,
  } as const;
  if (remembered.size === WORDS_MAX) remembered.clear();
  remembered.set(copied(start), meanings);
  return meanings;
}

const remembered = new Map<string, Meanings>();

const meaningOf = (plain: string): ResultStatus | undefined =>
  statusOf().get(plain) ?? BEGINNINGS.find(([pattern]) => pattern.test(plain))?.[1];

/** A status of more words is not known. */
const START_WORDS_MAX = 5;

/** The meaning of the longest known group of words at the start of a text. */
function meaningOfStart(plain: string): ResultStatus | undefined {
  const words = plain.split(' ', START_WORDS_MAX);
  for (let count = words.length; count > 0; count -= 1) {
    const start = words.slice(0, count).join(' ');
    const status = isAmbiguous(start) ? undefined : statusOf().get(start);
    if (status) return status;
  }
  return WITHOUT_BLANKS.test(plain)
    ? wordsWithoutBlanks()
        .get(plain.charAt(0))
        ?.find(([word]) => plain.startsWith(word))?.[1]
    : undefined;
}

/** As in DNF20km. */
const BEFORE_NUMBER = new Pattern(/(?<=\p{L})(?=\p{N})/gu);

const CODES = new Set(['dnf', 'dns', 'dsq', 'dq', 'dqf']);
/** "Desc. 10 %", "drop bag", "Brot", "disk". */
const AMBIGUOUS = new Set(['desc', 'drop', 'brot', 'disk']);
const SHORT = new Pattern(/^(\p{L} ?){1,3}$/u);

/** Whether a word is no status before further words. */
const isAmbiguous = (word: string): boolean =>
  AMBIGUOUS.has(word) || (SHORT.test(word) && !WITHOUT_BLANKS.test(word) && !CODES.has(word));

/** The scripts without blanks between words, or with endings behind words. */
const WITHOUT_BLANKS = new Pattern(
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u,
);

/** By their first character, the longest first: `ไม่จบ` begins `ไม่จบการแข่งขัน`. */
const wordsWithoutBlanks = onFirstUse(() => {
  const words = new Map<string, (readonly [string, ResultStatus])[]>();
  for (const pair of statusOf()) {
    const [word] = pair;
    if (WITHOUT_BLANKS.test(word))
      words.set(word.charAt(0), [...(words.get(word.charAt(0)) ?? []), pair]);
  }
  for (const alike of words.values()) alike.sort(([one], [other]) => other.length - one.length);
  return words;
});
