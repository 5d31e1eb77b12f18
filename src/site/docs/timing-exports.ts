/**
 * Small exports of timing software and spreadsheets with synthetic runners, and how the API reads them. The
 * CSV guide renders them as a table. src/worker/results/upload/timing-exports.test.ts uploads each file.
 */
export type TimingExport = {
  source: string;
  sent: SentFile;
  /** The lines that fail, each with a part of the reason. */
  failed?: Record<number, string>;
  /** What to change so that the whole file loads, as Markdown, and the changed file. */
  advice?: { text: string; changed: SentFile };
};

export type SentFile = {
  encoding: 'UTF-8' | 'UTF-8 with BOM' | 'latin-1' | 'UTF-16';
  /** Its bytes are this text in `encoding`. */
  text: string;
  /** The meaning of each column, or a part of the error if the file is refused. */
  read: ReadColumns | { refused: string };
};

/** Column names as in the header. */
export type ReadColumns = {
  bib: string;
  chipTime?: string;
  gunTime?: string;
  status?: string;
  splits?: string[];
};

/** The delimiter of a file. */
export const delimiterOf = ({ text }: SentFile): string =>
  [';', '\t'].find((delimiter) => text.includes(delimiter)) ?? ',';

const lines = (...rows: string[]): string => rows.map((row) => `${row}\r\n`).join('');

export const TIMING_EXPORTS: TimingExport[] = [
  {
    source: 'RACE RESULT, a list saved as CSV',
    sent: {
      encoding: 'UTF-8 with BOM',
      text: lines(
        'Rank;Bib;Lastname;Firstname;Contest;10 km;Chip Time;Gun Time',
        '1.;101;Ejemplo;Ada;Half;41:50;1:28:03;1:28:41',
        '2.;102;Muestra;Bruno;Half;42:31;1:29:10;1:29:55',
        ';103;Prueba;Carla;Half;44:02;DNF;DNF',
      ),
      read: { bib: 'Bib', chipTime: 'Chip Time', gunTime: 'Gun Time', splits: ['10 km'] },
    },
    failed: { 4: 'The chip time "DNF" is not a time' },
    advice: {
      text: 'Give DNS, DNF and DSQ a column `Status` of their own, and those rows no time.',
      changed: {
        encoding: 'UTF-8 with BOM',
        text: lines(
          'Rank;Bib;Lastname;Firstname;Contest;10 km;Chip Time;Gun Time;Status',
          '1.;101;Ejemplo;Ada;Half;41:50;1:28:03;1:28:41;',
          '2.;102;Muestra;Bruno;Half;42:31;1:29:10;1:29:55;',
          ';103;Prueba;Carla;Half;44:02;;;DNF',
        ),
        read: {
          bib: 'Bib',
          chipTime: 'Chip Time',
          gunTime: 'Gun Time',
          status: 'Status',
          splits: ['10 km'],
        },
      },
    },
  },
  {
    source: 'MYLAPS Orbits, results as CSV',
    sent: {
      encoding: 'UTF-8',
      text: lines(
        '"Pos","No.","Name","Class","Laps","Total Tm","Diff","Best Tm"',
        '"1","101","Ada Ejemplo","F","4","41:50.123","","10:12.004"',
        '"2","102","Bruno Muestra","M","4","42:31.900","0:41.777","10:20.550"',
      ),
      read: { refused: 'The header has no bib column' },
    },
    advice: {
      text: 'Rename `No.` to `Bib` and `Total Tm` to `Time`; remove `Diff` and `Best Tm`, which would be splits.',
      changed: {
        encoding: 'UTF-8',
        text: lines(
          '"Pos","Bib","Name","Class","Laps","Time"',
          '"1","101","Ada Ejemplo","F","4","41:50.123"',
          '"2","102","Bruno Muestra","M","4","42:31.900"',
        ),
        read: { bib: 'Bib', chipTime: 'Time' },
      },
    },
  },
  {
    source: 'ChronoTrack Live, results as CSV',
    sent: {
      encoding: 'UTF-8',
      text: lines(
        'Rank,Bib,Name,Gender,Age,City,Gun Time,Chip Time,Pace',
        '1,101,"Ejemplo, Ada",F,34,"Villa Ejemplo",01:28:41.20,01:28:03.10,04:10',
        '2,102,"Muestra, Bruno",M,41,"Villa Ejemplo",01:29:55.00,01:29:10.70,04:14',
      ),
      read: { bib: 'Bib', chipTime: 'Chip Time', gunTime: 'Gun Time', splits: ['Pace'] },
    },
    advice: {
      text: 'Remove `Pace`, unless it shall show as a split.',
      changed: {
        encoding: 'UTF-8',
        text: lines(
          'Rank,Bib,Name,Gender,Age,City,Gun Time,Chip Time',
          '1,101,"Ejemplo, Ada",F,34,"Villa Ejemplo",01:28:41.20,01:28:03.10',
          '2,102,"Muestra, Bruno",M,41,"Villa Ejemplo",01:29:55.00,01:29:10.70',
        ),
        read: { bib: 'Bib', chipTime: 'Chip Time', gunTime: 'Gun Time' },
      },
    },
  },
  {
    source: 'Webscorer, complete results as tab-delimited text',
    sent: {
      encoding: 'UTF-8',
      text: lines(
        'Place\tBib\tName\tTeam name\tCategory\tTime\tDifference\tLap 1\tLap 2',
        '1\t101\tAda Ejemplo\t\t21K\t41:50.1\t-\t20:40.0\t21:10.1',
        '2\t102\tBruno Muestra\t\t21K\t42:31.9\t+0:41.8\t21:00.2\t21:31.7',
        '-\t103\tCarla Prueba\t\t21K\tDNS\t-\t\t',
      ),
      read: { bib: 'Bib', chipTime: 'Time', splits: ['Lap 1', 'Lap 2'] },
    },
    failed: { 4: 'The chip time "DNS" is not a time' },
    advice: {
      text: 'Give DNS, DNF and DSQ a column `Status` of their own, and those rows no time.',
      changed: {
        encoding: 'UTF-8',
        text: lines(
          'Place\tBib\tName\tTeam name\tCategory\tTime\tDifference\tLap 1\tLap 2\tStatus',
          '1\t101\tAda Ejemplo\t\t21K\t41:50.1\t-\t20:40.0\t21:10.1\t',
          '2\t102\tBruno Muestra\t\t21K\t42:31.9\t+0:41.8\t21:00.2\t21:31.7\t',
          '-\t103\tCarla Prueba\t\t21K\t\t-\t\t\tDNS',
        ),
        read: { bib: 'Bib', chipTime: 'Time', status: 'Status', splits: ['Lap 1', 'Lap 2'] },
      },
    },
  },
  {
    source: 'RunSignup and RaceDay Scoring, results as CSV',
    sent: {
      encoding: 'UTF-8',
      text: lines(
        'Place,Bib,First Name,Last Name,Gender,Age,City,State,Clock Time,Chip Time,Pace',
        '1,101,Ada,Ejemplo,F,34,Port Example,XX,1:28:41,1:28:03,6:43',
        '2,102,Bruno,Muestra,M,41,Port Example,XX,1:29:55,1:29:10,6:48',
      ),
      read: { bib: 'Bib', chipTime: 'Chip Time', splits: ['Clock Time', 'Pace'] },
    },
    advice: {
      text: 'Rename `Clock Time` to `Gun Time`; remove `Pace`, unless it shall show as a split.',
      changed: {
        encoding: 'UTF-8',
        text: lines(
          'Place,Bib,First Name,Last Name,Gender,Age,City,State,Gun Time,Chip Time',
          '1,101,Ada,Ejemplo,F,34,Port Example,XX,1:28:41,1:28:03',
          '2,102,Bruno,Muestra,M,41,Port Example,XX,1:29:55,1:29:10',
        ),
        read: { bib: 'Bib', chipTime: 'Chip Time', gunTime: 'Gun Time' },
      },
    },
  },
  {
    source: 'Wiclax, a ranking in French as CSV',
    sent: {
      encoding: 'latin-1',
      text: lines(
        'Clt;Dossard;Nom;Prénom;Catégorie;Temps',
        "1;101;Exemple;Ada;SEF;01h28'03",
        "2;102;Modèle;Bruno;SEM;01h29'10",
      ),
      read: { refused: 'The header has no bib column' },
    },
    advice: {
      text: "Rename `Dossard` to `Bib` and `Temps` to `Time`; write times as 01:28:03, not 01h28'03.",
      changed: {
        encoding: 'latin-1',
        text: lines(
          'Clt;Bib;Nom;Prénom;Catégorie;Time',
          '1;101;Exemple;Ada;SEF;01:28:03',
          '2;102;Modèle;Bruno;SEM;01:29:10',
        ),
        read: { bib: 'Bib', chipTime: 'Time' },
      },
    },
  },
  {
    source: 'Excel in Spanish, “CSV (delimitado por comas)”',
    sent: {
      encoding: 'latin-1',
      text: lines(
        'Posición;Dorsal;Nombre;Estado;Tiempo chip;Tiempo pistola;Km 10',
        '1;101;Irene Muñoz;FINISHED;1:28:03;1:28:41;0:41:50',
        '2;102;Íñigo Peña;;1:29:10,5;1:29:55,0;0:42:31',
        ';103;Carla Prueba;DNF;;;0:44:02',
      ),
      read: {
        bib: 'Dorsal',
        chipTime: 'Tiempo chip',
        gunTime: 'Tiempo pistola',
        status: 'Estado',
        splits: ['Km 10'],
      },
    },
  },
  {
    source: 'Excel, “CSV UTF-8”',
    sent: {
      encoding: 'UTF-8 with BOM',
      text: lines(
        'Número;Nombre;Resultado;Pistola;Estado',
        '101;Irene Muñoz;1:28:03;1:28:41;',
        '102;Íñigo Peña;1:29:10;1:29:55;',
        '103;Carla Prueba;;;DSQ',
      ),
      read: { bib: 'Número', chipTime: 'Resultado', gunTime: 'Pistola', status: 'Estado' },
    },
  },
  {
    source: 'Excel, “Unicode Text”',
    sent: {
      encoding: 'UTF-16',
      text: lines('Bib\tTime', '101\t1:28:03', '102\t1:29:10'),
      read: { bib: 'Bib', chipTime: 'Time' },
    },
  },
  {
    source: 'Google Sheets, “Comma-separated values”',
    sent: {
      encoding: 'UTF-8',
      text: lines(
        'Bib,Name,Finish Time,Status',
        '101,Ada Ejemplo,1:28:03,',
        '102,Bruno Muestra,,DNS',
      ),
      read: { bib: 'Bib', chipTime: 'Finish Time', status: 'Status' },
    },
  },
  {
    source: 'LibreOffice Calc, “Text CSV” with quoted cells',
    sent: {
      encoding: 'UTF-8',
      text: lines(
        '"Dorsal","Nombre","Tiempo"',
        '"101","Ada ""La Rápida"" Ejemplo","1:28:03"',
        '"102","Bruno Muestra","41:50"',
      ),
      read: { bib: 'Dorsal', chipTime: 'Tiempo' },
    },
  },
];
