import { type Hand, handOf, openRace, type Task, tasksOf } from './task.ts';
import { RACE } from './world.ts';

const before = tasksOf('organizer', 'before', 'panel');
const during = tasksOf('organizer', 'during', 'panel');
const after = tasksOf('organizer', 'after', 'panel');

const WORDS = {
  en: {
    uploads: 'Uploads',
    choose: /^Choose a file$/,
    find: 'Find by bib or name',
    details: /^Details of /,
  },
  es: {
    uploads: 'Subidas',
    choose: /^Elegir un archivo$/,
    find: 'Buscar por dorsal o nombre',
    details: /^Detalles de /,
  },
} as const;

type Language = keyof typeof WORDS;

/** Opens the details of a runner. */
async function openRunner(hand: Hand, language: Language, bib: string) {
  await openRace(hand);
  await hand.type(WORDS[language].find, bib);
  await hand.see(/^1 (runner|corredor)$/);
  await hand.press(WORDS[language].details);
}

/** Chooses a file for the uploads of the race. */
async function chooseFile(hand: Hand, language: Language, name: string, lines: string[]) {
  await openRace(hand, WORDS[language].uploads);
  await hand.give(WORDS[language].choose, name, `${lines.join('\n')}\n`);
}

async function makeOfficial(hand: Hand) {
  await hand.press('Make official');
  await hand.answer('Make official');
  await hand.see('Official, version 1');
}

const BEFORE: Task[] = [
  before('en', 'desktop', 'counts who may start, and who has cancelled', async (hand) => {
    await openRace(hand);
    await hand.see('Registered', '2,004');
    await hand.type(WORDS.en.find, '3002');
    await hand.see('Cancelled');
  }),
  before(
    'es',
    'phone',
    'lists the runners without bib, gender, category or distance',
    async (hand) => {
      await openRace(hand);
      await hand.choose('Qué participantes', 'Datos incompletos');
      await hand.see('Sin dorsal', 'Sin género', 'Sin categoría', 'Sin distancia');
    },
  ),
  before('en', 'phone', 'switches the board off for the rehearsal, and on again', async (hand) => {
    await openRace(hand, 'Board');
    const board = hand.page.getByRole('switch', { name: 'Live board' });
    await board.click();
    await hand.see(/^The board of .* is off\.$/);
    await board.click();
    await hand.see(/^The board of .* is on\.$/);
  }),
  before('en', 'phone', "hides the children's names in one act", async (hand) => {
    await openRace(hand, 'Board');
    await hand.tick(/^2K/);
    await hand.see('2K: 400 names are hidden on the board.');
  }),
  before('es', 'phone', 'hides the name of a runner by the bib', async (hand) => {
    await openRace(hand, 'Tablero');
    await hand.type('Dorsal', '1005');
    await hand.press('Ocultar');
    await hand.see(
      'El tablero ya no muestra el nombre del dorsal 1005.',
      'Elena María Bravo Núñez',
    );
  }),
  before('en', 'desktop', 'renews the short address, and the old address ends', async (hand) => {
    await openRace(hand, 'Board');
    await hand.press('New short address');
    await hand.answer('New short address');
    await hand.see(/^The short address is \/b\//);
    await hand.page.goto(hand.world.shortAddress);
    await hand.see(/no board/i);
  }),
  before('es', 'phone', 'gets the short address and its code for a poster', async (hand) => {
    await openRace(hand, 'Tablero');
    await hand.page
      .getByRole('img', { name: /^Código QR/ })
      .first()
      .waitFor();
    await hand.see(/\/b\/\w{4}-\w{4}$/);
    await hand.press('Imprimir el cartel');
    await hand.page.emulateMedia({ media: 'print' });
    await hand.see('Resultados en vivo', /\/b\/\w{4}-\w{4}$/);
  }),
  before('es', 'desktop', 'gives the timing company a key, and a text to send', async (hand) => {
    await hand.follow('Claves de API');
    await hand.press(/^(Nueva clave|Crear la primera clave)$/);
    await hand.tick(/^Empresa de cronometraje/);
    await hand.see('Una semana después de la carrera');
    await hand.press('Crear clave');
    const text = hand.page.getByLabel('Texto para enviar con la clave');
    if (!(await text.inputValue()).includes(RACE)) throw new Error('The text lacks the race.');
    await hand.press('Copiar el texto');
  }),
  before('en', 'phone', 'tries to let a key end before the race is over', async (hand) => {
    await hand.follow('API keys');
    await hand.press(/^(New key|Create the first key)$/);
    await hand.tick(/^Timing company/);
    await hand.tick('On a date');
    const at = hand.page.getByLabel('Date and time', { exact: true });
    await at.fill(new Date(Date.now() + 3_600_000 * 10).toISOString().slice(0, 16));
    await hand.press('Create key');
    const problem = await at.evaluate((one) => String(Reflect.get(one, 'validationMessage')));
    if (!problem.includes('before the race is over')) throw new Error(problem);
  }),
  before('es', 'desktop', 'tells that the children start later', async (hand) => {
    await openRace(hand, 'Ajustes');
    await hand.unfold('Salidas');
    await hand.press('Añadir una salida');
    await hand.page.getByLabel('Salida', { exact: true }).last().fill('Infantil');
    await hand.page.getByLabel('Distancia', { exact: true }).last().fill('2K');
    const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
    await hand.page.getByLabel('Hora de salida').last().fill(at);
    await hand.press('Guardar las salidas');
    await hand.see(/^Las salidas están guardadas/);
  }),
  before('en', 'desktop', 'adds a point to the course', async (hand) => {
    await openRace(hand, 'Settings');
    await hand.unfold('Course');
    await hand.press('Add a point');
    await hand.page.getByLabel('Point', { exact: true }).last().fill('Km 18');
    await hand.page.getByLabel('Distance', { exact: true }).last().fill('21K');
    await hand.page
      .getByLabel(/^Kilometres/)
      .last()
      .fill('18');
    await hand.press('Save the course');
    await hand.see('The course is saved, with 5 points.');
  }),
];

const DURING: Task[] = [
  during('es', 'desktop', 'shows full names, and reads what becomes public', async (hand) => {
    await openRace(hand, 'Tablero');
    await hand.tick('Nombres completos');
    await hand.see(/la lista de inscritos se hace pública/);
  }),
  during('en', 'desktop', 'sends the file that came by mail', async (hand) => {
    await chooseFile(hand, 'en', 'finish.csv', ['Bib;Time', '1040;1:11:33.4', '1041;1:11:41']);
    await hand.press('Send 2 results');
    await hand.see('The file is stored');
  }),
  during('es', 'phone', 'sends a file from a phone, and reads its warnings', async (hand) => {
    await chooseFile(hand, 'es', 'meta.csv', ['dorsal;tiempo', '1040;1:11:33', '9999;1:11:41']);
    await hand.see(/Ningún corredor de esta carrera tiene el dorsal/);
    await hand.press('Enviar 1 resultado');
    await hand.see('El archivo está guardado');
  }),
  during('es', 'desktop', 'names the columns of a file by hand', async (hand) => {
    await chooseFile(hand, 'es', 'raro.csv', [
      'time,Code,Lap',
      '1040,90,1:11:33',
      '1041,91,1:11:41',
    ]);
    await hand.unfold('Indicar las columnas a mano');
    await hand.choose('Significado de time', 'Dorsal');
    await hand.choose('Significado de Code', 'Observación, no se guarda');
    await hand.choose('Significado de Lap', 'Tiempo');
    await hand.press('Leer así el archivo');
    await hand.press('Enviar 2 resultados');
    await hand.see('El archivo está guardado');
  }),
  during('en', 'phone', 'sends the times of Km 10', async (hand) => {
    await openRace(hand, 'Uploads');
    await hand.tick('A point on the course');
    await hand.type('Name of the point', 'Km 10');
    await hand.give(WORDS.en.choose, 'km10.csv', 'bib,time\n1735,1:16:20\n1736,1:16:25\n');
    await hand.press('Send 2 times');
    await hand.see('The file is stored');
  }),
  during('en', 'desktop', 'is warned of a file that changes many results', async (hand) => {
    const rows = Array.from({ length: 300 }, (_, at) => `${2_601 + at},${20 + (at % 30)}:07`);
    await chooseFile(hand, 'en', 'old.csv', ['bib,time', ...rows]);
    await hand.see(/may be the wrong file/, /rows stay out/);
  }),
  during('es', 'desktop', 'takes a wrong file back', async (hand) => {
    await chooseFile(hand, 'es', 'mal.csv', ['dorsal;tiempo', '1040;1:11:33', '1041;1:11:41']);
    await hand.press('Enviar 2 resultados');
    await hand.see('El archivo está guardado');
    await hand.press('Deshacer');
    await hand.answer('Deshacer');
    await hand.see(/^Deshecho/);
  }),
  during('en', 'phone', 'corrects the time of a runner', async (hand) => {
    await openRunner(hand, 'en', '1005');
    await hand.see(/The reason is public/);
    await hand.type('Chip time', '1:07:30');
    await hand.type('Reason', 'The judge saw the clock');
    await hand.press('Save correction');
    await hand.see(/^The result of .* is corrected\.$/);
  }),
  during('en', 'desktop', 'corrects a runner whom a colleague corrects too', async (hand) => {
    await openRunner(hand, 'en', '1005');
    await hand.type('Chip time', '1:07:40');
    const colleague = handOf(await hand.page.context().newPage(), hand.world);
    await colleague.page.goto(hand.world.panel);
    await openRunner(colleague, 'en', '1005');
    await colleague.type('Chip time', '1:07:30');
    await colleague.press('Save correction');
    await colleague.see(/^The result of .* is corrected\.$/);
    await colleague.page.close();
    await hand.press('Save correction');
    await hand.see(/^Changed meanwhile .* Yours is not stored\./);
    await hand.press('Save correction');
    await hand.see(/^The result of .* is corrected\.$/);
  }),
  during('es', 'desktop', 'enters the time of a failed chip from the paper list', async (hand) => {
    await openRunner(hand, 'es', '1045');
    await hand.type('Tiempo de chip', '1:12:12');
    await hand.press('Guardar resultado');
    await hand.see(/^El resultado de .* está guardado\.$/);
  }),
  during('en', 'desktop', 'disqualifies a runner, with a reason', async (hand) => {
    await openRunner(hand, 'en', '1007');
    await hand.choose('Status', 'Disqualified');
    await hand.type('Reason', 'Cut the course');
    await hand.press('Save correction');
    await hand.see(/^The result of .* is corrected\.$/);
  }),
  during('es', 'phone', 'swaps two bibs, and reads whose bibs', async (hand) => {
    await openRunner(hand, 'es', '1003');
    await hand.unfold('Intercambiar con otro dorsal');
    await hand.type('El otro dorsal', '1005');
    await hand.press('Intercambiar resultados');
    await hand.see(/Carla Arce Ejemplo/, /Elena María Bravo Núñez/);
    await hand.answer('Intercambiar resultados');
    await hand.see(/están intercambiados\.$/);
  }),
  during('es', 'phone', 'takes a result away', async (hand) => {
    await openRunner(hand, 'es', '1009');
    await hand.press('Quitar resultado');
    await hand.answer('Quitar resultado');
    await hand.see(/^El resultado de .* (ya no está|está quitado)/);
  }),
  during('es', 'desktop', 'asks who comes next at Km 10', async (hand) => {
    await openRace(hand, 'En ruta');
    await hand.follow('Página del locutor');
    await hand.page.getByRole('heading', { name: 'Km 10' }).waitFor();
    await hand.see(/puesto \d+ de mujeres\s40.49 en Km\s5/);
  }),
  during('en', 'phone', 'asks who was seen at Km 5 and nowhere after', async (hand) => {
    await openRace(hand, 'On course');
    await hand.choose('Last point', 'Seen at Km 5 and not after it');
    await hand.see(/^\d{3} runners on the course/, 'Julio Arce Ortiz', /late$/);
    await hand.press('Print the sheet for the sweep');
  }),
  during('en', 'desktop', 'finds the three fastest women of 40-49', async (hand) => {
    await openRace(hand);
    await hand.choose('Distance, gender and category', '10K · Women 40-49');
    await hand.see('80 runners', '1805', '1815', '1835');
  }),
];

const AFTER: Task[] = [
  after('es', 'desktop', 'makes the results official, and sees who is missing', async (hand) => {
    await openRace(hand);
    await hand.press('Hacer oficiales');
    await hand.see(/visto por última vez en Km 5/, /y \d+ más, en la lista/);
    await hand.answer('Hacer oficiales');
    await hand.see('Oficial, versión 1');
  }),
  after('en', 'desktop', 'reads what has changed since the official version', async (hand) => {
    await openRunner(hand, 'en', '1005');
    await makeOfficial(hand);
    await hand.type('Chip time', '1:07:30');
    await hand.press('Save correction');
    await hand.unfold('Official versions');
    await hand.see(
      /Results have changed since they were made official/,
      /1005.*01:07:28 → 01:07:30/,
    );
  }),
  after('en', 'phone', 'downloads the workbook for the federation', async (hand) => {
    await openRace(hand);
    await hand.unfold('Download');
    const file = await hand.saved(() => hand.press('Excel (.xlsx)'));
    if (!file.suggestedFilename().endsWith('.xlsx')) throw new Error(file.suggestedFilename());
  }),
  after(
    'es',
    'desktop',
    'sends the downloaded file back, and sees that no time changes',
    async (hand) => {
      await openRace(hand);
      await hand.unfold('Descargar');
      const file = await hand.saved(() => hand.press('CSV'));
      await hand.follow('Subidas');
      await hand.give(WORDS.es.choose, await file.path());
      await hand.see('Sin cambios', /^Enviar [\d,]+ resultados$/);
    },
  ),
  after('en', 'desktop', 'ranks by gun time, and reads whose place changes', async (hand) => {
    await openRace(hand, 'Settings');
    await hand.unfold('Ranking');
    await hand.tick('Gun time');
    await hand.type('Why it changes', 'The federation asks for gun times.');
    await hand.press('Change the ranking');
    await hand.see(/runners get another place|runners change place|whose place/i);
    await hand.answer('Change the ranking');
    await hand.unfold('History of the race');
    await hand.see(/The federation asks for gun times\./);
  }),
  after(
    'es',
    'desktop',
    'lets the overall winners leave the prizes of their category',
    async (hand) => {
      await openRace(hand, 'Ajustes');
      await hand.unfold('Clasificación');
      await hand.tick(/^Uno solo/);
      await hand.see(/^Premios: una sola vez/);
    },
  ),
  after('es', 'phone', 'explains a time to its runner, by the history', async (hand) => {
    await openRunner(hand, 'es', '1005');
    await hand.see('Historial', /con la clave/);
  }),
  after('en', 'phone', 'revokes a key that leaked', async (hand) => {
    await hand.follow('API keys');
    await hand.press(WORDS.en.details);
    await hand.press(/^Revoke /);
    await hand.answer('Revoke');
    await hand.see(/revoked\.$/);
  }),
];

export const ORGANIZER_TASKS: readonly Task[] = [...BEFORE, ...DURING, ...AFTER];
