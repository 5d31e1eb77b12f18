import type { Meaning } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { onFirstUse, plainName, withoutAccents } from '../read/words.ts';

/** The meaning of a column by its name, without its cells. */
export type ColumnClass =
  | 'bib'
  /** "No", "Nr", "#": the bib without a clearer column. */
  | 'number'
  | 'place'
  | 'netTime'
  | 'gunTime'
  /** "Official Time": the gun time beside a net time, otherwise the only time. */
  | 'officialTime'
  | 'time'
  | 'split'
  /** A word for a time beside unknown words: a split, unless the cells say otherwise. */
  | 'otherTime'
  | 'lap'
  | 'status'
  /** A time of day, a pace, a gap, a speed, points: never a result and never a split. */
  | 'noResult'
  /** Describes a person: a name, a club, a category, an age. */
  | 'person'
  | 'unknown';

const family = (...classes: ColumnClass[]): ReadonlySet<ColumnClass> => new Set(classes);

/** Names of the result, names of the later of two results, and names of the points before the result. */
export const RESULTS = family('netTime', 'gunTime', 'officialTime', 'time');
export const GUNS = family('gunTime', 'officialTime');
export const POINTS = family('split', 'lap');
/** Names without information about the result: names of a person, of paces, gaps and points. */
export const BESIDE_RESULTS = family('person', 'noResult');

/** The words of a list. Certain words have a single meaning, in every language and software. */
type Words = Record<'has' | 'isCertain', (word: string) => boolean>;

/**
 * The words in the form of `plainName`: some scripts have marks that count as accents. Cells never overrule a name with
 * a certain word, which has a mark here. Names with several uses are not certain: "Start no" may be a wave, "Chip" a
 * transponder, "Estado" a region. The set is made on first use, so that an isolate starts faster.
 */
function words(list: string): Words {
  const known = onFirstUse(
    () => new Set(list.replaceAll('\n', ' ').split(' ').map(withoutAccents)),
  );
  return {
    has: (word) => known().has(word) || known().has(`${word}*`),
    isCertain: (word) => known().has(`${word}*`),
  };
}

const NO_RESULT = words(`pace paces speed avg average kmh kph mph gap diff difference dif desfase
  behind back ruckstand abstand ecart ecarts retard distacco distacchi diferencia diferenca achterstand verschil
  strata leader winner moyenne moy vitesse velocidad velocidade velocitat velocita media mitjana ritmo ritme ritmi
  allure passo schnitt snelheid predkosc tempokm points pts punkte puntos pontos punti punts point score rating index
  poang pisteet ptos puntaje puntuacion puntuacio pontszam очки
  agegrade agegraded graded grade wma penalty penalties penalizacion penalite bonus bom bomtid base basis raw handicap
  trend percent percentage % predicted expected plan planned estimated eta goal pb sb arsbasta personbasta bestzeit
  bestleistung saisonbestzeit seed qualifying qualifier qualification moving target limit cutoff tod timeofday hora
  heure uhrzeit tageszeit ora godzina tijdstip klokslag start starta starto startu starttime salida depart departure
  partenza largada sortida startzeit starttijd starttid abschnitt section segment lapcount date datum fecha data
  birthdate birthday birth dob geburtsdatum naissance nacimiento nascimento nascita timestamp created updated ztrata
  odstup rozdil roznica hatrany jamak forskel ero differenz vorsprung fark ortalama rychlost sebesseg hastighet nopeus
  prumer vel veloc kmph темп отставание отст разрыв старт скорость дата отрыв проигрыш відставання διαφορα`);

/** The best of several attempts is the result in some races, and a lap in others. */
const BEST = words(`best fastest snabbaste nopein raskeste hurtigste schnellste schnellster
  snelste rapide mejor melhor meilleur meilleure migliore beste bester`);

/** Whether a column is named after the best of several times. */
export const isNamedBest = (name: string): boolean => {
  const tokens = plainName(name).split(' ');
  return tokens.some((token) => BEST.has(token)) && !tokens.some((token) => NO_RESULT.has(token));
};

const NO_RESULT_PHRASE = new Pattern(
  /\b(age|ag) (grade|graded|%|time)|\btime of (the )?day\b|\b(finish|finished|arrived|arrival|crossed|start|started) at\b|\bto d\b|\b(min|mi) (km|k|mi|mile)\b|\bin lap\b|\bkm h\b|\boff at\b|\b(last|ultima|derniere?|letzte|slowest) (lap|vuelta|volta|tour|runde)\b/,
);

/** `timediff`, `gapTime`, `avgspeed` */
const COMPOUND = new Pattern(/^(diff|gap|behind|pace|speed)|(diff|gap|behind|pace|speed)$/);

const BIB = words(`bib* bibs* bibno* bibnum* bibnr* bibnumber* dossard* dossards* doss dos dorsal*
  dorsales* dorsale* dorsali* dors pettorale* pettorali* pett pettorina* startnummer* startnr* stnr stno startno
  startnumber rugnummer* borstnummer* peito* placa plate dortsala* rajtszam* racenumber raceno numdossard* nrstartowy
  startowy startovni startnumero kilpailunumero kilpailijanumero zeken nosiuke номер нагрудный* dorsaal* dorsalnummer*
  startovne startn nummerlapp* startcislo stc cislozavodnika gogus gogusno αριθμος startnumer* ndossard* nodossard*
  nrdossard* συμμετοχης stevilka kilp`);
const BIB_PHRASE = new Pattern(
  /\b(dal|dalibnieka|dalyvio|zawodnika|osalejaja) (nr|numurs|numeris|number)\b|\b((race|start|starting|runner|rider|racer|athlete|competitor|participant|entry|entrant|cap|crew|sail|boat) ?(no|nr|num|number|#)|(st nr|nr st|nr start|st ci?|c st)|(numero|num|n|no) (de |do |da |della |di )?(corredor|corredora|competidor|participante|participant|carrera|gara|corsa|course|coureur|atleta|cursa|corredors|prova))(?![a-z0-9])/,
);
const ARTICLES = words(`de the`);
const NUMBER = words(`no nr nro num number numero n # nummer numer nbr nb cislo numara`);

const PLACE = words(`place places plc pl pos posn posno position rank ranking rk rnk rang platz
  platzierung clt clst clas classement puesto pto lugar posicion posicao posizione plaats miejsce poradi sija plats
  plass placering colocacao lloc posicio oa overall scratch oall sorszam helyezes genderplace divplace clasif
  clasificacion general ordre ordem orden ordine umisteni vieta vietas koht loc locul sira siralama rg место місце
  κατάταξη plassering placement por`);
const CATEGORY = words(`gender sex sexe sexo sesso geschlecht genre cat category categoria
  categorie catgorie div division age ag acrank ac ak klasse kategorie class group gruppe klass mw genderdiv tot`);

const NET = words(`net netto nett neto neta nettozeit* nettotid* nettotijd* nettoaika* nettotime*
  tpsnet* tpsreel* chip chiptime* chipzeit* chiptid* chiptijd* liquido liquida liq reel reelle real reale puce xip tag
  finishnet* nettime* cisty cistycas nettoido net_time чистое чистыи нетто чип καθαρος netzeit*`);
const GUN = words(`gun scratch guntime* clock clocktime gross brutto bruttozeit* bruttotid*
  bruttoaika* brutotijd* bruto bruta lordo lorda pistola pistolet pistool pistolenzeit* canon schuss grosstime*
  tpsbrut* brut brute brt hruby gunshot disparo sparo startskott грязное гросс брутто выстрела μικτος`);
const OFFICIAL = words(`official oficial officiel officielle ufficiale offiziell offizielle
  oficjalny off uff offic of`);
const TIME = words(`time times tm tim total totale totaal gesamt zeit zeiten endzeit gesamtzeit
  laufzeit zielzeit rennzeit tiempo tiempos tpo temps tps tempo tempi tijd eindtijd racetijd czas cas aika tid tider
  sluttid lopstid maltid ido timp result results rezultats rezultat rezultati rezultatas rezultate rezultatul vysledek
  vysledok resultat resultats resultado resultados resultaat risultato ergebnis wynik tulos finish finals finished
  finishtime elapsed duration duree duracion meta ziel arrivee arrivo llegada arribada chegada aankomst mal maali cil
  marca chrono crono totaltime racetime cilovy vysledny eredmeny sure derece timing kokonaisaika lopputulos slutt
  resulttime laiks laikas aeg vrijeme вреемя время результат χρονος`);
/** Words beside the word for a time that still mean the time of the whole race. */
const BESIDE_TIME = words(`race rider runner athlete racer final finish finished total overall
  elapsed result individual t the your de del la do da di du of en a l d course carrera cursa corsa gara lauf rennen
  prova competicion hh mm ss h m s hms hhmmss hhmm mmss decimal decimala decimales decimale dezimal dezimalminuten sek
  sekunder minuter minuten minuti minutos sec secs second seconds secondes segundos sekunden secondi min mins minutes
  hours horas heures stunden ms totale finale totals gesamt tot all complete oficial official net rr in lopet`);

/** A column whose name is only a unit has times. */
const UNITS = words(`sec secs second seconds segundos sekunden secondes secondi ms millis
  milliseconds hours horas stunden heures`);

const STATUS = words(`klasifikace status state estado estatus etat statut stato situacao situacion
  situacio dnf dsq dq outcome remark remarks observaciones observacoes observacions obs bemerkung bemerkungen note
  notes nota notas kommentar comment comments classifier wertung situatie stav durum статус отметка примечание
  observatii poznamka uwagi κατάσταση`);
const SPLIT = words(`lap paso vuelta runde giro volta ronde split splits km k mi mile miles milla
  millas half halb mitad medio media21 cp checkpoint punto punt control kontrolle aid station swim bike cycle run ride
  row t1 t2 trans transition natacion ciclismo carrera carreira nage velo cap schwimmen rad laufen zwischenzeit
  parcial parciales wechsel transizione transicion transicio zmiana depo lauf etapa stage etape kayak paddle ski corsa
  corrida bieg nuoto bici mezicas medzicas mellantid passeringstid valiaika gpm kom intermedio intermedi intermediate
  passage passagem durchgang inter leg`);
/** `10km`, `cp3` */
const POINT = new Pattern(/^(\d+(k|km|mi|m|mile)|(cp|km|k|pc|pk|wp|sp|kp)\d+)$/);
const LENGTH = words(`k km kilometer kilometre mi mile per pr`);
/** Numbers of a person that are no bibs. */
const NUMBER_OF_PERSON = words(`
  age edad idade eta alter alder ika wiek vek leeftijd varsta yas возраст ηλικια yob year jahrgang jg rocnik fodselsar
  phone telefono telefone tel mobile movil celular zip zipcode postcode postal plz heat lane bahn carril couloir
  corsia prize premio weight peso poids gewicht height altura hr bpm pulse watts power wave welle vague laps`);
const PERSON = words(`
  name names first last family given surname firstname lastname fullname nom nombre nombres nome prenom prenoms
  apellido apellidos sobrenome cognome cognoms vorname nachname naam voornaam achternaam imie nazwisko imię runner
  athlete atleta participant participante competitor rider racer driver team club verein equipo equipe squadra societa
  societe vereniging klub ville city town state country nation nationality nat pays pais land ort hometown gender sex
  sexe sexo sesso geschlecht category categoria categorie cat ak klasse class division div miasto mesto ciudad
  localidad stadt citta provincia comune municipio ano annee anno email license licence licencia uci id race event
  contest parcours jmeno prijmeni oddil zavod kat nev egyesulet ad soyad isim kulup takim sehir ulke navn etternavn
  fornavn klubb nimi seura фамилия имя отчество фио команда клуб город пол год рождения регион разряд квал коллектив
  группа дистанция страна rut ci cedula dni cpf documento document id_number kit shirt draw box corral table order
  bewerb wettbewerb distance distancia strecke chip tag transponder code m f mf swimmer nadador nadadora corredor
  corredora coureur zawodnik`);

const LAP = new Pattern(
  /^(rider |runner |race )?(lap|vuelta|tour|runde|giro|volta|ronde|okrazenie|kolo|varv)s? ?\d+( time| tm)?$/,
);

/** For scripts without blanks between words: parts of a name, with their meaning. The first match counts. */
const PARTS: [parts: string, meaning: ColumnClass][] = [
  [
    '配速|差距|落后|落後|起跑时间|出发|速度|均速|ペース|出発|トップ差|差|スタート|เพซ|ความเร็ว|ห่าง|페이스|출발|ポイント|积分',
    'noResult',
  ],
  [
    '姓名|名字|性别|性別|组别|組別|俱乐部|国籍|地区|氏名|名前|部門|種目|所属|生年|年齢|年龄|ชื่อ|นามสกุล|เพศ|กลุ่ม|ทีม|สัญชาติ|อายุ|이름|성명|성별|소속|종목',
    'person',
  ],
  [
    'الصدر|חזה|参赛号|參賽號|号码|號碼|号码布|选手号|编号|ゼッケン|ナンバー|番号|บิบ|หมายเลข|เบอร์|배번|번호',
    'bib',
  ],
  ['排名|名次|順位|순위|อันดับ|ลำดับ', 'place'],
  ['状态|狀態|备注|備註|備考|ステータス|状況|สถานะ|หมายเหตุ|상태|비고', 'status'],
  ['大會時間|大会时间|大會成績', 'gunTime'],
  ['個人時間|个人时间|個人成績|净|淨|芯片|ネット|ชิพ|ชิป|สุทธิ|넷|순기록', 'netTime'],
  ['枪|槍|毛成绩|毛时间|グロス|号砲|ปืน|กันไทม์|건타임', 'gunTime'],
  ['成绩|成績|时间|時間|用时|記録|タイム|เวลา|기록|시간', 'time'],
];
const NOT_LATIN = new Pattern(/[^\p{Script=Latin}\p{P}\p{N}\p{S}\p{Z}\p{M}]/u);

const classOfParts = (plain: string): ColumnClass | undefined =>
  PARTS.find(([parts]) =>
    withoutAccents(parts)
      .split('|')
      .some((part) => plain.includes(part)),
  )?.[1];

/** A live file repeats its header every few seconds. */
const classes = new Map<string, ColumnClass>();
const CLASSES_MAX = 500;

/** A single word for a net time or a gun time. */
const TIME_OF_CLASS = new Pattern(/^(netto|brutto|bruto|chip|gun)(zeit|tid|tijd|time|aika)$/);

/** The index of the column of places by its name; -1 without one. */
export const placeColumn = (names: readonly string[]): number =>
  names.findIndex((name) => classify(name) === 'place');

export function classify(name: string): ColumnClass {
  const found = classes.get(name) ?? classOf(name);
  if (classes.size >= CLASSES_MAX) classes.clear();
  classes.set(name, found);
  return found;
}

function classOf(name: string): ColumnClass {
  const plain = plainName(name);
  if (plain === '') return 'unknown';
  const byPart = NOT_LATIN.test(plain) ? classOfParts(plain) : undefined;
  if (byPart !== undefined) return byPart;
  const tokens = plain.split(' ');
  const has = (known: Words) => tokens.some((token) => known.has(token));
  const all = (...known: Words[]) => tokens.every((token) => known.some((list) => list.has(token)));

  if (isBibName(plain, tokens)) return 'bib';
  if (NO_RESULT_PHRASE.test(plain)) return 'noResult';
  if (LAP.test(plain)) return 'lap';
  if (has(NO_RESULT) || has(BEST) || tokens.some((token) => COMPOUND.test(token)))
    return 'noResult';
  if (tokens.some((token) => NUMBER.has(token)) && all(NUMBER, ARTICLES)) return 'number';
  if ((has(PLACE) || plain === 'o all') && !has(TIME)) return has(CATEGORY) ? 'person' : 'place';
  const byTime = classifyTime(tokens, has, all);
  return byTime === 'otherTime' || byTime === 'unknown'
    ? classOfPart(name, tokens, byTime)
    : byTime;
}

/** The class by the clearest part of a name. */
function classOfPart(name: string, tokens: readonly string[], whole: ColumnClass): ColumnClass {
  // "Nettozeit Startlinie bis Ziellinie"
  const [first = ''] = tokens;
  if (TIME_OF_CLASS.test(first)) return NET.has(first) ? 'netTime' : 'gunTime';
  // Brackets explain: "Gun time (from 8:00)".
  const short = BRACKETS.replace(name, ' ').trim();
  return short === name || short === '' ? whole : classOf(short);
}

const BRACKETS = new Pattern(/\([^()]*\)|\[[^[\]]*\]/g);

function classifyTime(
  tokens: string[],
  has: (known: Words) => boolean,
  all: (...known: Words[]) => boolean,
): ColumnClass {
  if (has(NET) && all(NET, TIME, BESIDE_TIME)) return 'netTime';
  if (has(GUN) && all(GUN, TIME, BESIDE_TIME)) return 'gunTime';
  if (has(OFFICIAL) && all(OFFICIAL, TIME, BESIDE_TIME)) return 'officialTime';
  if (has(TIME) && all(TIME, BESIDE_TIME)) return 'time';
  if (all(UNITS)) return 'time';
  if (has(STATUS) && tokens.length <= 3) return 'status';
  // A time for a kilometre is a pace.
  if (has(TIME) && has(LENGTH) && all(TIME, LENGTH, BESIDE_TIME)) return 'noResult';
  if (has(SPLIT) || tokens.some((token) => POINT.test(token))) return 'split';
  if (has(TIME)) return 'otherTime';
  if (has(PERSON) || has(NUMBER_OF_PERSON)) return 'person';
  return 'unknown';
}

function isBibName(plain: string, tokens: readonly string[]): boolean {
  if (tokens.some((token) => CODE.has(token))) return false;
  return tokens.some((token) => BIB.has(token)) || BIB_PHRASE.test(plain);
}

/** "Chip No" names a transponder, "Team No" a team, "Old bib" another event. */
const CODE = words(`chip tag transponder license licence team order time color colour old previous
  prior last anterior pickup`);

const NET_WORD = words(`net netto neto neta nettó chip liquido`);
const GUN_WORD = words(`gun pistola brutto bruto bruta gross`);

/** Whether a column is named after an age, a lane, a telephone or a different number that is no bib. */
export const isNumberOfPerson = (name: string): boolean =>
  classify(name) === 'person' &&
  plainName(name)
    .split(' ')
    .some((token) => NUMBER_OF_PERSON.has(token));

/** The meaning of a name with a single meaning; undefined for ambiguous names. */
export function certainMeaning(name: string): Exclude<Meaning, 'status'> | undefined {
  const ofName = classify(name);
  const tokens = plainName(name).split(' ');
  const has = (known: Words) => tokens.some((token) => known.has(token));
  const isCertain = (known: Words) => tokens.some((token) => known.isCertain(token));
  if (ofName === 'bib') return isCertain(BIB) ? 'bib' : undefined;
  if (ofName === 'netTime' && (isCertain(NET) || (has(NET_WORD) && has(TIME)))) return 'chipTime';
  const isGun = ofName === 'gunTime' && (isCertain(GUN) || (has(GUN_WORD) && has(TIME)));
  return isGun ? 'gunTime' : undefined;
}
