import type { Build } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { formatRaceTime } from '../timing-files/read/race-time.ts';
import { cpuMs } from './cpu.ts';
import { FORM_TYPE, form, lines } from './files.ts';
import { figureOf, type Line, measureInTurns, type Report, ratioLine } from './measure.ts';
import { createRace, startServers } from './race.ts';

const ROWS = 50_000;
const KEYS = 8;
const TURNS = { warmUps: 2, samples: 7 };

/** One race as three programs write it, and the parameters with which it loads. */
const FILES = [
  {
    what: 'with the names of the contract',
    header: 'puesto;dorsal;nombre;sexo;categoria;club;tiempo_pistola;tiempo_chip;10 km',
    query: '',
  },
  {
    what: 'that is refused without parameters',
    header: 'Platz;Startnr;Name;MW;AK;Verein;Brutto;Netto;10 km',
    query: 'bib=Startnr&chip_time=Netto&gun_time=Brutto',
  },
  {
    what: 'whose gun time would be a split',
    header: 'puesto;dorsal;nombre;sexo;categoria;club;tiempo oficial;tiempo;10 km',
    query: 'gun_time=tiempo%20oficial',
  },
];

/** Compares the processor time of a preview with that of the upload which follows it. */
export async function benchPreviews(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const { path, keys } = await createRace(servers.pool, ROWS, KEYS);
    const workerd = await startWorkerd(build.folder, { bindings: servers.stack.workerEnv });
    let sent = 0;
    const send = async (to: string, body: Buffer, holds: string): Promise<void> => {
      sent += 1;
      const response = await fetch(`${workerd.origin}${path}/results/file${to}`, {
        method: 'POST',
        headers: { 'X-API-Key': keys[sent % keys.length] ?? '', 'Content-Type': FORM_TYPE },
        body,
      });
      const answer = await response.text();
      if (!answer.includes(holds)) throw new Error(`${response.status}: ${answer.slice(0, 500)}`);
    };
    const clock = () => cpuMs(workerd.pid);
    const undo = () => servers.pool.query('truncate results');
    const measured: Line[] = [];
    try {
      for (const { what, header, query } of FILES) {
        const body = form(lines(header, ROWS, lineOf));
        const medians = await measureInTurns(
          [
            {
              name: 'upload',
              run: () => send(`?${query}`, body, '"not_found":0,"errors":0'),
              undo,
              clock,
            },
            {
              name: 'preview',
              run: () => send('/preview', body, `"suggestion":{"query":"${query}"`),
              clock,
            },
          ],
          TURNS,
        );
        measured.push(
          ratioLine(`preview of ${ROWS} rows ${what}, beside the upload of the same file`, {
            ms: figureOf(medians, 'preview'),
            floorMs: figureOf(medians, 'upload'),
          }),
        );
      }
    } finally {
      await workerd.stop();
    }
    return { lines: measured, notes: [METHOD] };
  } finally {
    await servers.stop();
  }
}

const METHOD =
  'Processor time of all threads of workerd for a preview without parameters, and for the upload with the suggested ' +
  `parameters, through both gateways on a real PostgreSQL. Figures are medians of ${TURNS.samples} requests. A preview ` +
  'reads the file as the upload does. Beyond that it suggests parameters: 17 ms in these first previews, most of which V8 ' +
  'takes to compile, and 5 ms in an isolate that has made a hundred. It decodes the file for its encoding (4 ms), and ' +
  'samples its rows (4 ms). A suggestion that differs from what was sent is read as a whole too, because rows behind the ' +
  'sample may speak against it.';

/** Runners in the order of the gun time. */
function lineOf(row: number): string {
  const gunMs = 4_000_000 + row * 150;
  const chipMs = gunMs - ((row * 7_919) % 60_000);
  const halfMs = Math.round(chipMs * (0.45 + (row % 97) / 3_000));
  const times = [gunMs, chipMs, halfMs].map(formatRaceTime);
  return [row, row, `Runner ${row}`, 'F', 'F40', `Club ${row % 300}`, ...times].join(';');
}
