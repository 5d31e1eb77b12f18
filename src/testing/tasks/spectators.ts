import { type Hand, openRace, type Task, tasksOf } from './task.ts';
import { RACE } from './world.ts';

const before = tasksOf('spectator', 'before', 'board');
const during = tasksOf('spectator', 'during', 'board');
const after = tasksOf('spectator', 'after', 'board');
const speakerDuring = tasksOf('spectator', 'during', 'panel');
const speakerAfter = tasksOf('spectator', 'after', 'panel');

async function search(hand: Hand, words: string) {
  const field = hand.page.getByRole('searchbox');
  await field.fill(words);
  await field.press('Enter');
}

/** Finds a runner, and waits for the texts of the runner's card. */
async function find(hand: Hand, words: string, ...seen: (string | RegExp)[]) {
  await search(hand, words);
  const card = hand.page.getByRole('article');
  for (const text of seen) await card.getByText(text).first().waitFor();
}

const showDistance = (hand: Hand, distance: string) => hand.follow(new RegExp(`^${distance}`));

const BEFORE: Task[] = [
  before('es', 'phone', 'reads when the race starts, and how long that is', async (hand) => {
    await hand.page.getByRole('heading', { name: RACE }).waitFor();
    await hand.see(/en.(19|20).h.\d+.min$/);
  }),
  before('en', 'phone', 'follows a friend before the start', async (hand) => {
    await find(hand, '1501', /^No result yet/);
    await hand.press('Follow');
    await hand.page.getByRole('button', { name: 'Following' }).waitFor();
    await hand.page.reload();
    await hand.page.getByRole('button', { name: 'Following' }).waitFor();
  }),
  before('es', 'desktop', 'finds starters by the beginning of a surname', async (hand) => {
    await search(hand, 'zam elena');
    await hand.see(/Elena María .* Zamora/);
  }),
  before('en', 'desktop', 'looks at the course', async (hand) => {
    await showDistance(hand, '21K');
    await hand.page.getByRole('heading', { name: 'The course' }).waitFor();
    await hand.see('Km 10', 'Km 15');
  }),
  before('es', 'phone', 'types the short address from a poster', async (hand) => {
    await hand.page.goto(
      hand.world.shortAddress.replace('-', '').replace(/\w+$/, (code) => code.toUpperCase()),
    );
    await hand.page.getByRole('heading', { name: RACE }).waitFor();
  }),
  before('en', 'phone', 'mistypes the short address', async (hand) => {
    await hand.page.goto(hand.world.shortAddress.replace(/\w+$/, '2222'));
    await hand.see(/no board/i);
  }),
];

const DURING: Task[] = [
  during('es', 'phone', 'types a bib as people say it', (hand) =>
    find(hand, 'dorsal 1 004', /1:07:21/, 'Diego B.'),
  ),
  during('en', 'phone', 'finds a runner by the given name', async (hand) => {
    await search(hand, 'bruno');
    await hand.page.getByRole('link', { name: /Bruno/ }).first().click();
    await hand.page.getByRole('article').getByText(/Bruno/).first().waitFor();
  }),
  during('es', 'phone', 'asks when a friend will be at the finish', (hand) =>
    find(hand, '1501', 'Km 10', 'Meta prevista', /sobre las/),
  ),
  during('en', 'desktop', 'reads the latest arrivals', async (hand) => {
    await showDistance(hand, '10K');
    await hand.page.getByRole('heading', { name: 'Latest arrivals' }).waitFor();
    await hand.page
      .getByRole('cell', { name: /1:10:00/ })
      .first()
      .waitFor();
  }),
  during('en', 'phone', 'asks how many have passed Km 10', async (hand) => {
    await showDistance(hand, '21K');
    await hand.page.getByRole('heading', { name: 'Km 10' }).waitFor();
    await hand.see(/^665 of 800$/);
  }),
  during('es', 'phone', 'sends a friend the link to a runner', async (hand) => {
    await find(hand, '1005', /1:07:28/);
    await hand.press('Compartir');
    await hand.see('Enlace copiado');
  }),
  during('es', 'phone', 'types a bib that nobody has', async (hand) => {
    await search(hand, '999');
    await hand.see('Nadie lleva el dorsal 999 en este evento.');
  }),
  during('en', 'phone', 'follows two runners, and stops following one', async (hand) => {
    await find(hand, '1005', /1:07:28/);
    await hand.press('Follow');
    await find(hand, '1007', /1:07:42/);
    await hand.press('Follow');
    await hand.press('Close');
    await hand.press('Stop following bib 1005');
    await hand.page.getByRole('list', { name: 'Followed runners' }).getByText('1:07:42').waitFor();
  }),
  during('en', 'desktop', 'shows the race on a wall', async (hand) => {
    await hand.press('Large text for a screen');
    await hand.page
      .getByRole('heading', { name: /Latest arrivals/ })
      .first()
      .waitFor();
    await hand.see(/^20:16$/);
  }),
  during('es', 'desktop', 'reads at night', async (hand) => {
    await hand.press('Colores oscuros');
    await hand.page.getByRole('button', { name: 'Colores oscuros', pressed: true }).waitFor();
  }),
  during('es', 'phone', 'loses the connection, and still reads a result', async (hand) => {
    await find(hand, '1005', /1:07:28/);
    await hand.page.context().setOffline(true);
    await hand.see(/^Sin conexión/, /1:07:28/);
  }),
  speakerDuring('en', 'desktop', 'announces who comes next at the finish', async (hand) => {
    await openRace(hand, 'On course');
    await hand.follow('Speaker’s page');
    await hand.page.getByRole('heading', { name: 'Finish' }).waitFor();
    await hand.see(/place \d+ in .* at Km\s15/);
  }),
];

const AFTER: Task[] = [
  after('en', 'phone', 'reads the women of 40-49', async (hand) => {
    await showDistance(hand, '10K');
    await hand.follow(/^Show all \d+ results$/);
    await hand.choose('Gender and category', 'Women 40-⁠49');
    await hand.see(/^\d+ results$/, '1805', '1815');
  }),
  after('es', 'phone', 'goes to a place in the list', async (hand) => {
    await showDistance(hand, '10K');
    await hand.follow(/^Ver los \d+ resultados$/);
    await hand.type('Ir al puesto', '300');
    await hand.page.keyboard.press('Enter');
    await hand.page.getByRole('cell', { name: '300', exact: true }).first().waitFor();
  }),
  after('en', 'phone', 'reads the own places, and finds them in the list', async (hand) => {
    await find(hand, '1805', 'Overall', '5 of 767', '1 of 64');
    await hand.follow('In the full list');
    await hand.page.getByRole('cell', { name: '5', exact: true }).first().waitFor();
  }),
  after('es', 'desktop', 'reads the splits of a runner', async (hand) => {
    await find(hand, '1005', /1:07:28/);
    await hand.unfold('Parciales');
    await hand.see(/31:44/, /puesto 5/);
  }),
  after('en', 'desktop', 'asks by how much the second lost', async (hand) => {
    await showDistance(hand, '10K');
    await hand.see('by 0.28 s');
  }),
  after('es', 'desktop', 'prints the own certificate', async (hand) => {
    await find(hand, '1005', /1:07:28/);
    await hand.press('Diploma');
    await hand.page.emulateMedia({ media: 'print' });
    await hand.see(/1:07:28/, /\/b\/\w{4}-\w{4}/);
  }),
  after('es', 'phone', 'asks why the own time was corrected', async (hand) => {
    await hand.world.asOwner('PATCH', '/results/1005', {
      chip_time: '01:07:30',
      reason: 'El juez vio el reloj',
    });
    await find(hand, '1005', /corregido: El juez vio el reloj/);
  }),
  after('es', 'phone', 'asks whether the results are final', (hand) => hand.see('Provisional')),
  speakerAfter('en', 'desktop', 'prints the sheet for the prizes', async (hand) => {
    await openRace(hand, 'Settings');
    await hand.unfold('Ranking');
    await hand.tick(/leave the prizes of their category/);
    await hand.see(/^Prizes: /);
    await hand.follow('Results');
    await hand.unfold('Download');
    await hand.press('Sheet for the speaker');
    await hand.page.emulateMedia({ media: 'print' });
    await hand.see('Overall', /first three overall and of each gender/);
  }),
];

export const SPECTATOR_TASKS: readonly Task[] = [...BEFORE, ...DURING, ...AFTER];
