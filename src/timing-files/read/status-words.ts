import { Pattern } from './pattern.ts';
import { parseStatus, type ResultStatus } from './result-status.ts';
import { plainWords } from './words.ts';

/** The words of timing software and clubs for each status, without accents and signs. */
const WORDS: Record<ResultStatus, string> = {
  FINISHED: `finished, finish, finisher, fin, ok, classified, completed, complete, official,
    classe, classee, termine, arrive, arrivee, finalizado, finalizada, terminado, terminada, llego,
    clasificado, clasificada, concluiu, concluido, finalizou, classificado, classificata,
    classificato, arrivato, arrivata, acabat, acabada, classificat, im ziel, gewertet, klassiert,
    beendet, gefinisht, voltooid, ukonczyl, ukonczony, maalissa, i mal, fullfort`,
  DNF: `dnf, did not finish, abandon, abandons, abandonne, abandono, abandonado, abandonament,
    abandonou, ab, abd, aband, ret, retired, retirado, retirada, ritirato, ritirata, retirat, rit,
    no finalizo, no finalizado, no termino, no llego, nao terminou, nao concluiu, desistiu,
    desistencia, desistente, no acabat, no finalitzat, non arrive, non termine, non arrivato,
    dropped, drop, pul, dnp, withdrawn, withdrew, pulled, nf, otl, hd, hors delai, fuera de tiempo,
    fuera de control, fora de tempo, fora de control, aufgegeben, aufgabe, aufg, ausgeschieden,
    nicht im ziel, nicht beendet, opgegeven, uitgevallen, nie ukonczyl, nieukonczony,
    keskeytti, keskeyttanyt, kesk, brutit, brot, brutt, utgatt, udgaet, not finished`,
  DNS: `dns, did not start, no show, noshow, absent, absente, abs, forfait, ff, non partant,
    non partante, non parti, np, no salio, no sale, no presentado, no presentada, no se presento,
    no tomo la salida, ausente, nao largou, nao compareceu, nao partiu, faltou, no presentat,
    no ha sortit, no sortit, assente, non partito, non partita, nicht gestartet,
    nicht angetreten, nicht am start, ng, niet gestart, nie wystartowal, nie wystartowala,
    ei startannut, ej start, ej startat, ikke startet, ikke start, not started`,
  DSQ: `dsq, dq, dqf, disq, disqualified, disqualifie, disqualifiee, descalificado, descalificada,
    desc, descal, disqualifiziert, squalificato, squalificata, squal, sq, desclassificado,
    desclassificada, desqualificado, desqualificada, desqualificat, desqualificada, desq,
    gediskwalificeerd, gedisk, dyskwalifikacja, dyskw, hylatty, hyl, diskvalificerad,
    diskvalifisert, diskvalificeret, disk, diskad`,
};

const STATUS_OF = new Map<string, ResultStatus>();
for (const [status, words] of Object.entries(WORDS)) {
  const known = parseStatus(status);
  for (const word of words.split(',')) if (known) STATUS_OF.set(word.trim(), known);
}

/** Beginnings that all forms of a word share. */
const BEGINNINGS: [Pattern, ResultStatus][] = [
  [new Pattern(/^(abandon|retir|ritir|desist)/), 'DNF'],
  [new Pattern(/^(descal|desqual|desclass|disqual|diskval|disq|squal|dyskwal)/), 'DSQ'],
  [new Pattern(/^(no pres|no sal|non part|nao larg|nicht gest|nicht anget|did not start)/), 'DNS'],
];

const LETTER = new Pattern(/\p{L}/u);
/** As in D.N.F. */
const DOT_INSIDE = new Pattern(/(?<=\p{L})\.(?=\p{L})/gu);

/** The status that a word most likely means; undefined for an unknown word. */
export function guessStatus(word: string): ResultStatus | undefined {
  if (!LETTER.test(word)) return undefined;
  const plain = plainWords(DOT_INSIDE.replace(word, ''));
  return STATUS_OF.get(plain) ?? BEGINNINGS.find(([pattern]) => pattern.test(plain))?.[1];
}
