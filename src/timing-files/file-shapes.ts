/**
 * Results files as timing software, spreadsheets and clubs write them, with invented runners, and
 * what a person reads in each. `file-shapes.test.ts` follows the suggestion for every one.
 */
export type FileShape = {
  source: string;
  encoding?: 'utf-8' | 'latin-1' | 'utf-16';
  lines: readonly string[];
  /** By bib: the chip time, a slash and the gun time, or a status. Empty: the file has no results. */
  results: Readonly<Record<string, string>>;
  splits?: readonly string[];
  /** The query that is suggested, decoded; null where a person has to decide. */
  suggestion: string | null;
  /** Codes of warnings that must be given. */
  warnings?: readonly string[];
};

const CLOCK = { 41: '1:28:03', 52: '1:29:10', 63: '1:41:27' };

export const FILE_SHAPES: readonly FileShape[] = [
  {
    source: 'RunSignup, mobile results',
    lines: [
      'Place,Bib,Name,Gender,Age,City,State,Finish Time',
      '1,41,Eva Uno,F,31,Springfield,XX,00:28:03.10',
      '2,52,Teo Dos,M,44,,XX,01:02:10.00',
    ],
    results: { 41: '28:03.10', 52: '1:02:10' },
    suggestion: '',
  },
  {
    source: 'RunSignup, splits',
    lines: [
      'result_id,place,bib,first_name,last_name,gender,split-90001,split-90001-pace,split-90002,split-90002-pace,clock_time,chip_time,pace,age',
      '700001,1,41,Eva,Uno,F,12:10,1:37,30:02,,1:05:08,1:05:01,9:58,31',
      '700002,2,52,Teo,Dos,M,12:40,1:41,31:12,,1:07:20,1:07:11,10:20,44',
    ],
    results: { 41: '1:05:01 / 1:05:08', 52: '1:07:11 / 1:07:20' },
    splits: ['split-90001', 'split-90002'],
    suggestion: 'gun_time=clock_time&split=split-90001&split=split-90002',
    warnings: ['splits_unlikely'],
  },
  {
    source: 'ITRA, statuses in the ranking',
    lines: [
      'Ranking,Time,Family name,First name,Gender,Birthdate,Nationality,Bib,City,Team',
      '1,05:40:01,UNO,Eva,F,12/04/1991,FRA,41,Villa,Club',
      '2,05:58:40,DOS,Teo,M,1988-11-02,ESP,52,Villa,',
      'DNF,,TRES,Ada,F,03.07.1979,GER,63,Villa,',
    ],
    results: { 41: '5:40:01', 52: '5:58:40', 63: 'DNF' },
    suggestion: 'status=Ranking',
  },
  {
    source: 'LiveTrail in French',
    lines: [
      'Clt;Dossard;Nom;Prénom;Cat;Club;Pays;Temps',
      '1;41;UNO;Eva;SEF;;France;12h30m01s',
      "2;52;DOS;Téo;V1H;;Suisse;13h02'11''",
      '3;63;TRES;Ada;M2H;;Belgique;1j 02:10:00',
      '-;64;CUATRO;Ion;M2H;;Belgique;Abandon',
    ],
    results: { 41: '12:30:01', 52: '13:02:11', 63: '26:10:00', 64: 'DNF' },
    suggestion: 'bib=Dossard&chip_time=Temps&time_format=apostrophes&status_word=abandon:DNF',
    warnings: ['over_24_hours'],
  },
  {
    source: 'OpenSplitTime, elapsed times',
    lines: [
      '\uFEFFfirst_name,last_name,gender,state,country,age,bib_number,Start,Aid 1,Aid 2,Finish',
      'Eva,Uno,F,OK,USA,31,41,0:00:00,2:58:00,5:03:00,16:45:00',
      'Teo,Dos,M,OK,USA,44,52,0:00:00,3:08:00,5:23:00,17:45:00',
      'Ada,Tres,F,AB,USA,29,63,0:00:00,3:18:00,5:33:00,18:45:00',
    ],
    results: { 41: '16:45:00', 52: '17:45:00', 63: '18:45:00' },
    splits: ['Aid 1', 'Aid 2'],
    suggestion: 'chip_time=Finish&split=Aid 1&split=Aid 2',
    warnings: ['whole_minutes'],
  },
  {
    source: 'Al Kamel, result list',
    lines: [
      'Rank;Bib;ClassName;Driver1;TotalTime;LapCount;GapTime;GapLap;BestLapAverageSpeed;BestLapTime;State',
      '1;41;A;Eva Uno;1:02:33.123;30;;;170,1;2:01.555;Classified',
      '2;52;A;Teo Dos;1:02:41.900;30;8.777;;169,8;2:01.900;Classified',
      '3;63;A;Ada Tres;21:03.000;12;;18;168,8;2:02.100;Retired',
    ],
    results: { 41: '1:02:33.123', 52: '1:02:41.900', 63: 'DNF' },
    suggestion:
      'chip_time=TotalTime&status=State&split=&status_word=classified:FINISHED&status_word=retired:DNF',
  },
  {
    source: 'Triathlon in Britain',
    lines: [
      'Net Pos,Race No,Name,Net Time,Category,Net Cat Pos,Gender,Club,SWIM,T1,BIKE,T2,RUN',
      '1,41,Eva UNO,00:49:47,30-39,1,Open,Tri,00:07:36,00:00:43,00:29:23,00:00:41,00:11:20',
      '2,52,Teo DOS,00:51:47,30-39,1,Open,,00:08:36,00:00:53,00:30:23,00:00:51,00:11:04',
    ],
    results: { 41: '49:47', 52: '51:47' },
    splits: ['BIKE', 'RUN', 'SWIM', 'T1', 'T2'],
    suggestion: 'bib=Race No&chip_time=Net Time',
  },
  {
    source: 'Several rows a runner, told apart by an interval',
    lines: [
      'race;interval;id;Rank;Bib;LastName;FirstName;Nation;YOB;Sex;NetTime;GunTime',
      ...[41, 52].flatMap((bib, at) => [
        `hm;5k;${at};${at + 1};${bib};Uno;Eva;GER;1990;W;00:20:5${at};00:21:1${at}`,
        `hm;10k;${at};${at + 1};${bib};Uno;Eva;GER;1990;W;00:41:4${at};00:42:0${at}`,
        `hm;complete;${at};${at + 1};${bib};Uno;Eva;GER;1990;W;01:28:0${at};01:28:4${at}`,
      ]),
    ],
    results: { 41: '1:28:00 / 1:28:40', 52: '1:28:01 / 1:28:41' },
    suggestion: 'chip_time=NetTime&gun_time=GunTime&where=interval:complete',
  },
  {
    source: 'Several rows a runner below title lines, in German',
    lines: [
      'Bewerb;Stadtlauf',
      'Wertung;Gesamt',
      '',
      'Messpunkt;Platz;Startnummer;Name;AK;Gesamtzeit;Rückstand;Abschnitt;Trend',
      '5 km;1;41;Eva Uno;W30;20:52;;20:52;',
      'Ziel;1;41;Eva Uno;W30;1:28:03;;1:07:11;',
      '5 km;2;52;Teo Dos;M40;21:10;+0:18;21:10;',
      'Ziel;2;52;Teo Dos;M40;1:29:10;+1:07;1:08:00;',
    ],
    results: { 41: '1:28:03', 52: '1:29:10' },
    suggestion: 'bib=Startnummer&chip_time=Gesamtzeit&split=&header_line=4&where=Messpunkt:Ziel',
  },
  {
    source: 'Boston, the official time alone',
    lines: [
      '5k,10k,half,pace,official,overall,division,bib,name,age,gender',
      '0:15:54,0:30:54,1:04:54,0:05:04,2:12:30,5,5,41,"Uno, Eva",30,F',
      '0:26:40,-,1:52:42,0:08:40,3:46:51,130,160,52,"Dos, Teo",46,M',
    ],
    results: { 41: '2:12:30', 52: '3:46:51' },
    splits: ['10k', '5k', 'half'],
    suggestion: 'chip_time=official&split=5k&split=10k&split=half',
  },
  {
    source: 'Speeds named like splits',
    lines: [
      'bibNum,gender,finishNet,5K,10K,15K',
      '41,Men,02:11:53,11.87,12.22,11.86',
      '52,Women,02:26:07,10.54,10.67,10.73',
    ],
    results: { 41: '2:11:53', 52: '2:26:07' },
    suggestion: 'bib=bibNum&chip_time=finishNet',
  },
  {
    source: 'Times of the day beside the net time',
    lines: [
      'place,bib,name,category,wave,gunStart,finishTime,netTime',
      '1,41,Eva Uno,F30,W1,09:00:00.000,10:28:03.120,01:28:03.120',
      '2,52,Teo Dos,M40,W1,09:00:00.000,10:29:10.000,01:29:10.000',
      ',63,Ada Tres,F30,W2,09:05:00.000,,',
    ],
    results: { 41: '1:28:03.120', 52: '1:29:10' },
    suggestion: 'chip_time=netTime&split=',
  },
  {
    source: 'Times of the day alone, with the start',
    lines: [
      'Bib,Name,Start Time,Finish Time,Race Time',
      '41,Eva Uno,09:00:00,10:28:03,1:28:03',
      '52,Teo Dos,09:00:30,10:29:40,1:29:10',
    ],
    results: { 41: '1:28:03', 52: '1:29:10' },
    suggestion: 'chip_time=Race Time&split=',
  },
  {
    source: 'Dots between minutes and seconds',
    lines: ['Pos,No,Runner,Club,Cat,Time', '1,41,Eva Uno,A,FS,28.03', '2,17,Teo Dos,B,M,1.29.10'],
    results: { 41: '28:03', 17: '1:29:10' },
    suggestion: 'bib=No&time_format=dots',
  },
  {
    source: 'CrossMgr for USAC',
    lines: [
      'Race Date,Race Gender,Race Category,Rider Bib #,Rider Last Name,Rider First Name,Rider License #,Rider Place,Rider Time,Rider Lap 1,Rider Lap 2',
      '9/12/26,Women,Elite,41,Uno,Eva,1,1,0:48:03,0:24:00,0:24:03',
      '9/12/26,Women,Elite,52,Dos,Tea,2,2,0:49:10,0:24:31,0:24:39',
      '9/12/26,Women,Elite,63,Tres,Ada,3,DNF,,0:24:31,',
    ],
    results: { 41: '48:03', 52: '49:10', 63: 'DNF' },
    splits: ['Rider Lap 1', 'Rider Lap 2'],
    suggestion: 'bib=Rider Bib #&chip_time=Rider Time&status=Rider Place',
  },
  {
    source: 'Webscorer, a race of laps',
    lines: [
      'Place\tBib\tName\tCategory\tTime\tDifference\tLap 1\tSplit 1\tLap 2\tSplit 2',
      '1\t41\tEva Uno\tPro\t41:50.1\t-\t20:40.0\t20:40.0\t21:10.1\t41:50.1',
      '2\t52\tTeo Dos\tPro\t42:31.9\t0:41.8\t21:00.2\t21:00.2\t21:31.7\t42:31.9',
      '3\t63\tAda Tres\tPro\t-1 laps\t-1 laps\t22:00.0\t22:00.0\t-\t-',
      '-\t64\tIon Cuatro\tPro\tDNS\t-\t-\t-\t-\t-',
      '-\t65\tLea Cinco\tPro\tDQ\t-\t-\t-\t-\t-',
    ],
    results: { 41: '41:50.1', 52: '42:31.9', 64: 'DNS', 65: 'DSQ' },
    splits: ['Split 1', 'Split 2'],
    suggestion: 'split=Split 1&split=Split 2&status_word=dns:DNS&status_word=dq:DSQ',
  },
  {
    source: 'Excel: minutes taken for hours',
    lines: ['Bib,Name,Time', '41,Eva Uno,41:50:00', '52,Teo Dos,42:31:00', '63,Ada Tres,59:58:00'],
    results: { 41: '41:50', 52: '42:31', 63: '59:58' },
    suggestion: null,
    warnings: ['time_format_unclear'],
  },
  {
    source: 'Hours and minutes alone',
    lines: ['Place,Bib,Name,Time', '1,41,Eva Uno,1:28', '2,52,Teo Dos,1:29', '3,63,Ada Tres,2:10'],
    results: { 41: '1:28:00', 52: '1:29:00', 63: '2:10:00' },
    suggestion: null,
    warnings: ['time_format_unclear'],
  },
  {
    source: 'Ski: seconds with a comma, and a column of seconds',
    lines: [
      'Date;Lieu;Rang;Dossard;Nom;Année;Club;Temps;Temps (secondes);Écart',
      '18/1/2026;MONT;1;41;Uno, Eva;2014;REL;37,58;37,58;0,00',
      '18/1/2026;MONT;2;52;Dos, Tea;2014;REL;1:02,10;62,10;24,52',
    ],
    results: { 41: '0:37.58', 52: '1:02.10' },
    suggestion: 'bib=Dossard&chip_time=Temps&split=&time_format=seconds',
  },
  {
    source: 'Title lines in quotes',
    lines: [
      '"Demo Run"',
      '"10 km"',
      '',
      'Place,Bib,Name,Finished Elapsed Time,Average Speed',
      '1,41,"Eva Uno",0:41:50.10,14.3',
      '2,52,"Teo Dos",1:02:10.00,9.6',
    ],
    results: { 41: '41:50.10', 52: '1:02:10' },
    suggestion: 'chip_time=Finished Elapsed Time&header_line=4',
  },
  {
    source: 'Status words of a club',
    lines: [
      'Name,Bib,Time,Status',
      'Eva,41,00:24:10,finish',
      'Teo,52,00:27:55,dnf',
      'Ada,63,00:28:55,finish',
    ],
    results: { 41: '24:10', 52: 'DNF', 63: '28:55' },
    suggestion: 'status_word=finish:FINISHED',
  },
  {
    source: 'MYLAPS Orbits',
    lines: [
      '"Pos","No.","Name","Class","Laps","Total Tm","Diff","Gap","Best Tm","In Lap"',
      '"1","41","Eva Uno","F","4","41:50.123","","","10:12.004","3"',
      '"2","52","Teo Dos","M","4","42:31.900","0:41.777","0:41.777","10:20.550","2"',
      '"DNF","63","Ada Tres","M","2","21:00.000","2 Laps","2 Laps","10:25.100","1"',
    ],
    results: { 41: '41:50.123', 52: '42:31.900', 63: 'DNF' },
    suggestion: 'bib=No.&chip_time=Total Tm&status=Pos&split=',
  },
  {
    source: 'Wiclax in French',
    encoding: 'latin-1',
    lines: [
      'Place;Dossard;Nom;Sexe;Année;Parcours;Temps;Moyenne;Ecart',
      "1;41;UNO Eva;F;1990;Semi;01h28'03;14.4;",
      "2;52;DOS Téo;M;1985;Semi;01h29'10;14.2;+01'07",
      '3;63;TRES Ada;F;1988;5 km;41\'50";9.7;',
    ],
    results: { 41: '1:28:03', 52: '1:29:10', 63: '41:50' },
    suggestion: 'bib=Dossard&chip_time=Temps&split=&time_format=apostrophes',
  },
  {
    source: 'Transponders and times of the day, no results yet',
    lines: [
      'Bib,Chip,Start,Finish,Time of Day,Result',
      '41,JX41234,09:00:38,10:28:41,10:28:41,',
      '52,JX41235,09:00:45,10:29:55,10:29:55,',
    ],
    results: {},
    suggestion: null,
    warnings: ['no_results_yet'],
  },
  {
    source: 'Passings with a header',
    lines: [
      'RD_ID;RD_IDBib;RD_Time;RD_TimingPoint',
      '981;41;14:03:22.418;FINISH',
      '982;52;14:03:25.100;FINISH',
    ],
    results: {},
    suggestion: null,
    warnings: ['time_column_unclear'],
  },
  {
    source: 'Passings without a header',
    lines: ['RSBCI,41,10:50:00.477,START+FINISH', 'RSBCI,52,10:50:02.100,START+FINISH'],
    results: {},
    suggestion: null,
    warnings: ['time_of_day'],
  },
  {
    source: 'UltraSignup, statuses as numbers',
    lines: [
      'place,first,last,age,gender,city,state,bib,time,status',
      '1,Eva,Uno,31,F,Villa,IN,41,5:28:03,1',
      '2,Teo,Dos,44,M,Villa,OK,52,6:01:10,1',
      ',Ada,Tres,29,F,Villa,OR,63,0,2',
      ',Ion,Cuatro,50,M,Villa,AB,64,,3',
    ],
    results: { 41: '5:28:03', 52: '6:01:10', 63: 'DNF', 64: 'DNS' },
    suggestion: 'status_word=1:FINISHED&status_word=2:DNF&status_word=3:DNS&status_word=5:DSQ',
  },
  {
    source: 'RACE RESULT in German',
    encoding: 'latin-1',
    lines: [
      'Platz;Stnr;Name;Verein;AK;Pl. AK;5 km;10 km;Bruttozeit;Nettozeit;Min/km',
      '1.;41;UNO Eva;Läufer e.V.;W30;1.;20:52;41:44;1:28:41;1:28:03;4:10',
      '2.;52;DOS Teo;;M40;1.;21:10;42:20;1:29:55;1:29:10;4:14',
      'DNF;63;TRES Ada;;W30;;21:30;;;;',
      'DSQ;64;CUATRO Ion;;M30;;22:30;44:00;1:50:00;1:49:10;5:10',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55', 63: 'DNF', 64: 'DSQ' },
    splits: ['10 km', '5 km'],
    suggestion:
      'bib=Stnr&chip_time=Nettozeit&gun_time=Bruttozeit&status=Platz&split=5 km&split=10 km',
  },
  {
    source: 'Spanish timing company',
    lines: [
      'Puesto;Dorsal;Nombre;Sexo;Categoría;Club;Km 5;Tiempo Oficial;Tiempo Real;Ritmo',
      '1;41;Eva Uno;F;SEN;;0:20:52;1:28:41;1:28:03;4:10',
      '2;52;Teo Dos;M;VET;;0:21:10;1:29:55;1:29:10;4:14',
      ';63;Ada Tres;F;SEN;;;No salió;No salió;',
      ';64;Ion Cuatro;M;SEN;;0:22:10;Retirado;Retirado;',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55', 63: 'DNS', 64: 'DNF' },
    splits: ['Km 5'],
    suggestion:
      'chip_time=Tiempo Real&gun_time=Tiempo Oficial&split=Km 5&status_word=no salio:DNS&status_word=retirado:DNF',
  },
  {
    source: 'Spanish club: Meta is the result, Estado the region',
    lines: [
      'Puesto,Dorsal,Nombre,Estado,Meta',
      '1,41,Eva Uno,Jalisco,1:28:03',
      '2,52,Teo Dos,Sonora,1:29:10',
      '3,63,Ada Tres,Colima,1:41:27',
    ],
    results: CLOCK,
    suggestion: 'chip_time=Meta&status=',
  },
  {
    source: 'Brazil',
    lines: [
      'Colocação;Número de peito;Atleta;Faixa Etária;Equipe;Tempo Bruto;Tempo Líquido;Pace',
      '1;41;Eva Uno;F3034;;01:28:41;01:28:03;04:10',
      '2;52;Teo Dos;M4044;;01:29:55;01:29:10;04:14',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55' },
    suggestion: 'bib=Número de peito&chip_time=Tempo Líquido&gun_time=Tempo Bruto&split=',
  },
  {
    source: 'Italy',
    lines: [
      'Pos.;Pett.;Cognome;Nome;Società;Cat.;Tempo Ufficiale;Real Time;Media;Distacco',
      '1;41;UNO;Eva;;SF;1:28:41;1:28:03;4:10;',
      '2;52;DOS;Teo;;SM;1:29:55;1:29:10;4:14;1:14',
      'Rit.;63;TRES;Ada;;SF;;;;',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55', 63: 'DNF' },
    suggestion:
      'bib=Pett.&chip_time=Real Time&gun_time=Tempo Ufficiale&status=Pos.&split=&status_word=rit:DNF',
  },
  {
    source: 'Catalan',
    lines: [
      'Posició;Dorsal;Nom;Cognoms;Categoria;Temps oficial;Temps real;Ritme',
      '1;41;Eva;Uno;SF;1:28:41;1:28:03;4:10',
      '2;52;Teo;Dos;SM;1:29:55;1:29:10;4:14',
      ';63;Ada;Tres;SF;;Abandonament;',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55', 63: 'DNF' },
    suggestion: 'chip_time=Temps real&gun_time=Temps oficial&split=&status_word=abandonament:DNF',
  },
  {
    source: 'France, net and official',
    lines: [
      'Classement;Dossard;NOM Prénom;Sexe;Catégorie;Temps officiel;TpsNet;Vitesse;Clt Cat',
      '1;41;UNO Eva;F;SEF;1h28\'41";1h28\'03";14,4;1',
      '2;52;DOS Téo;M;M1M;1h29\'55";1h29\'10";14,2;1',
      'Non partant;63;TRES Ada;F;SEF;;;;',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55', 63: 'DNS' },
    suggestion:
      'bib=Dossard&chip_time=TpsNet&gun_time=Temps officiel&status=Classement&time_format=apostrophes&status_word=non partant:DNS',
  },
  {
    source: 'The Netherlands',
    lines: [
      'Plaats;Startnummer;Naam;Woonplaats;Brutotijd;Nettotijd;Snelheid',
      '1;41;Eva Uno;Stad;1:28:41;1:28:03;14.4',
      '2;52;Teo Dos;Dorp;1:29:55;1:29:10;14.2',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55' },
    suggestion: 'bib=Startnummer&chip_time=Nettotijd&gun_time=Brutotijd',
  },
  {
    source: 'Poland',
    lines: [
      'Miejsce;Nr startowy;Nazwisko;Imię;Klub;Czas netto;Czas brutto;Tempo',
      '1;41;Uno;Eva;;01:28:03;01:28:41;04:10',
      '2;52;Dos;Teo;;01:29:10;01:29:55;04:14',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55' },
    suggestion: 'bib=Nr startowy&chip_time=Czas netto&gun_time=Czas brutto&split=',
  },
  {
    source: 'Excel: parts of a day',
    lines: [
      'Bib,Name,Age,Chip Time,Gun Time',
      '41,Eva Uno,31,0.0611458333333333,0.0615856481481481',
      '52,Teo Dos,44,0.0619212962962963,0.0624421296296296',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55' },
    suggestion: 'time_format=day_fraction',
  },
  {
    source: 'Excel: AM and PM',
    lines: [
      'Dorsal,Nombre,Tiempo',
      '41,Eva Uno,1:28:03 AM',
      '52,Teo Dos,12:41:50 AM',
      '63,Ada Tres,1:41:27 AM',
    ],
    results: { 41: '1:28:03', 52: '41:50', 63: '1:41:27' },
    suggestion: 'time_format=am_pm',
  },
  {
    source: 'Excel with its line sep=, and several formats of numbers',
    lines: ['sep=;', 'Startnr;Name;Zeit', '41;Eva Uno;1:28:03,5', '52;Teo Dos;1:29:10,0'],
    results: { 41: '1:28:03.5', 52: '1:29:10' },
    suggestion: 'bib=Startnr&chip_time=Zeit',
  },
  {
    source: 'Excel, "Unicode Text"',
    encoding: 'utf-16',
    lines: ['Pos\tBib\tName\tElapsed Time', '1\t41\tEva Uno\t1:28:03', 'DNF\t52\tTeo Dos\t'],
    results: { 41: '1:28:03', 52: 'DNF' },
    suggestion: 'chip_time=Elapsed Time&status=Pos',
  },
  {
    source: 'Seconds alone',
    lines: [
      'bib,name,elapsed_seconds',
      '41,Eva Uno,5283.12',
      '52,Teo Dos,5350',
      '63,Ada Tres,6087.5',
    ],
    results: { 41: '1:28:03.12', 52: '1:29:10', 63: '1:41:27.5' },
    suggestion: 'chip_time=elapsed_seconds&time_format=seconds',
  },
  {
    source: 'No header, one number and one time',
    lines: ['41;Eva Uno;1:28:03', '52;Teo Dos;1:29:10', '63;Ada Tres;1:41:27'],
    results: CLOCK,
    suggestion: 'bib=#1&chip_time=#3&header_line=0',
  },
  {
    source: 'No header, with places',
    lines: ['1,41,Eva Uno,1:28:03', '2,52,Teo Dos,1:29:10', '3,63,Ada Tres,1:41:27'],
    results: CLOCK,
    suggestion: 'bib=#2&chip_time=#4&header_line=0',
  },
  {
    source: 'No header, two numbers that may be bibs',
    lines: ['41,31,Eva Uno,1:28:03', '52,44,Teo Dos,1:29:10', '63,29,Ada Tres,1:41:27'],
    results: CLOCK,
    suggestion: null,
    warnings: ['bib_column_unclear'],
  },
  {
    source: 'A finish time beside a net time',
    lines: [
      'Pos,Race Number,Name,Time,Chip Time',
      '1,41,Eva Uno,1:28:41,1:28:03',
      '2,52,Teo Dos,1:29:55,1:29:10',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55' },
    suggestion: 'bib=Race Number&gun_time=Time',
  },
  {
    source: 'Days, as pandas writes them',
    lines: ['bib,elapsed', '41,0 days 18:28:03', '52,1 days 02:10:00.500000'],
    results: { 41: '18:28:03', 52: '26:10:00.5' },
    suggestion: 'chip_time=elapsed&time_format=days',
  },
  {
    source: 'ChronoTrack, fractions of four digits',
    lines: [
      'Rank,Bib,Name,Chip Elapsed,Gun Elapsed,Pace',
      '1,41,Eva,01:28:03.1234,01:28:41.5678,04:10',
      '2,52,Teo,01:29:10.0000,01:29:55.9999,04:14',
    ],
    results: { 41: '1:28:03.123 / 1:28:41.567', 52: '1:29:10 / 1:29:55.999' },
    suggestion: 'chip_time=Chip Elapsed&gun_time=Gun Elapsed&split=&time_format=long_fractions',
  },
  {
    source: 'Columns whose names nobody knows: a gap and a pace',
    lines: [
      'Bib,Time,Mark A,Mark B,Mark C',
      '41,1:28:03,0:41:50,0:00,4:10',
      '52,1:29:10,0:42:31,1:07,4:14',
      '63,1:41:27,0:48:02,13:24,4:49',
    ],
    results: CLOCK,
    splits: ['Mark A'],
    suggestion: 'split=Mark A',
    warnings: ['splits_unlikely'],
  },
  {
    source: 'A transponder that is a number',
    lines: ['Bib,Chip,Time', '41,5283,1:28:03', '52,5350,1:29:10', '63,6087,1:41:27'],
    results: CLOCK,
    suggestion: '',
  },
  {
    source: 'A gap named in one word, with semicolons',
    lines: [
      'rank;startno;lastname;firstname;time;timediff',
      '1;41;Uno;Eva;01:28:03.12;',
      '2;52;Dos;Teo;01:29:10.50;00:01:07.38',
    ],
    results: { 41: '1:28:03.12', 52: '1:29:10.50' },
    suggestion: 'bib=startno&split=',
  },
  {
    source: 'Wiclax with puce and scratch',
    lines: [
      'Num Dossard;Nom;Prenom;Temps Scratch;Temps Puce;Etat',
      '41;Uno;Eva;01:28:41;01:28:03;Finisher',
      '52;Dos;Teo;01:29:55;01:29:10;Finisher',
      '63;Tres;Ada;;;Abandon',
      '64;Cuatro;Ion;;;Non partant',
    ],
    results: { 41: '1:28:03 / 1:28:41', 52: '1:29:10 / 1:29:55', 63: 'DNF', 64: 'DNS' },
    suggestion:
      'bib=Num Dossard&chip_time=Temps Puce&gun_time=Temps Scratch&status=Etat&status_word=finisher:FINISHED&status_word=abandon:DNF&status_word=non partant:DNS',
  },
  {
    source: 'Times of the day at every point',
    lines: [
      'Bib,Name,Start,AS1 In,AS2 In,Finish',
      '41,Eva Uno,06:00:00,08:10:00,10:10:00,14:20:00',
      '52,Teo Dos,06:00:00,08:20:00,10:30:00,14:50:00',
    ],
    results: {},
    suggestion: null,
    warnings: ['time_of_day'],
  },
  {
    source: 'Intervals in seconds, as ChronoTrack uploads them',
    lines: [
      'race_name,bracket_name,interval_name,athlete_bib,athlete_first_name,chip_time,gun_time,pace',
      'Half,Overall,Full Course,41,Eva,5283.1,5321.2,250',
      'Half,Overall,5K,41,Eva,1252.1,1290.2,250',
      'Half,Overall,Full Course,52,Teo,5350.1,5395.2,254',
      'Half,Overall,5K,52,Teo,1270.1,1315.2,254',
    ],
    results: { 41: '1:28:03.1 / 1:28:41.2', 52: '1:29:10.1 / 1:29:55.2' },
    suggestion: 'bib=athlete_bib&split=&time_format=seconds&where=interval_name:Full Course',
  },
  {
    source: 'Two columns of one name',
    lines: [
      'Nr;Name;Zeit;Zeit',
      '41;Eva Uno;1:28:03;1:28:03',
      '52;Teo Dos;1:29:10;1:29:10',
      '17;Ada Tres;1:41:27;1:41:27',
    ],
    results: { 41: '1:28:03', 52: '1:29:10', 17: '1:41:27' },
    suggestion: 'bib=Nr&chip_time=#3&split=',
  },
  {
    source: 'ChronoTrack, finishers with a word of its own',
    lines: [
      'Entry ID,Bib,Name,Chip Time,Gun Time,Chip Pace,Status',
      '1,41,Eva Uno,1:28:03.12,1:28:40.01,6:43,CONF',
      '2,52,Teo Dos,1:29:10.12,1:29:50.01,6:48,CONF',
      '3,63,Ada Tres,,,,DNF',
    ],
    results: { 41: '1:28:03.12 / 1:28:40.01', 52: '1:29:10.12 / 1:29:50.01', 63: 'DNF' },
    suggestion: 'split=&status_word=conf:FINISHED',
    warnings: ['splits_unlikely'],
  },
  {
    source: 'Checkpoints that a runner passed unseen',
    lines: [
      'Dos.,Name,CP1,CP2,Finish',
      '41,Eva Uno,1:00:00,--:--,5:00:01',
      '52,Teo Dos,1:10:00,3:00:00,5:10:02',
    ],
    results: { 41: '5:00:01', 52: '5:10:02' },
    splits: ['CP1', 'CP2'],
    suggestion: 'bib=Dos.&chip_time=Finish',
  },
];
