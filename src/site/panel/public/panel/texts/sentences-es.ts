import { SPANISH_SENTENCES } from '../../../../../timing-files/judge/sentences-es.ts';
import { SPANISH_FAULTS } from '../../../../../timing-files/read/file-faults-es.ts';
import type { Refusal } from '../../../../../worker/errors.ts';

/** Why the API refuses a request of the panel. A file's fault replaces the sentence of the file's refusal. */
const REFUSALS: Record<Refusal | `${Refusal}:${string}`, string> = {
  invalid_input: 'Un valor no se puede aceptar. Revisa los campos.',
  'invalid_input:bibs_turned': 'El primer dorsal de una salida es mayor que el último.',
  'invalid_input:starts_overlap': 'Las salidas {first} y {second} son de los mismos corredores.',
  'invalid_input:points_name': 'Los puntos {first} y {second} tienen el mismo nombre.',
  'invalid_input:points_order': 'Los puntos {first} y {second} tienen el mismo orden.',
  'invalid_input:same_bib': 'Los dos dorsales son el mismo: escribe el otro.',
  unknown_input: 'Esta página es antigua: vuelve a cargarla.',
  unexpected_body: 'Esta página es antigua: vuelve a cargarla.',
  body_too_large: 'El archivo es demasiado grande.',
  body_broke_off: 'La conexión se cortó antes del final. Envíalo otra vez.',
  body_too_slow: 'La conexión es demasiado lenta. Envía el archivo en partes.',
  wrong_content_type: 'Este tipo de archivo no se acepta.',
  content_encoding: 'El archivo llegó comprimido. Envíalo tal como está.',
  not_json: 'La petición llegó dañada. Inténtalo otra vez.',
  json_too_large: 'Son demasiados datos a la vez. Envíalos en partes.',
  not_an_upload: 'La petición llegó dañada. Inténtalo otra vez.',
  not_a_form: 'El archivo llegó dañado. Envíalo otra vez.',
  unreadable_file: 'El archivo no se puede leer.',
  no_bib_column: 'El archivo no tiene columna de dorsal.',
  no_time_column: 'El archivo no tiene columna de tiempo ni de estado.',
  unknown_column: 'El archivo no tiene esa columna.',
  too_many_rows: 'El archivo tiene demasiadas filas: pártelo en varios.',
  too_many_splits: 'El archivo tiene más de {most} parciales distintos.',
  splits_too_long: 'Los parciales del archivo ocupan demasiado: pártelo en varios.',
  board_too_large: 'El evento es demasiado grande para un tablero.',
  too_many_points: 'El evento tendría más de {most} puntos. Escribe el nombre de un punto.',
  too_many_keys:
    'La organización tiene {most} claves activas, el máximo. Revoca una que no se use.',
  too_many_versions: 'La carrera ya tiene {most} versiones oficiales, el máximo.',
  no_results: 'La carrera no tiene resultados: no hay nada que hacer oficial.',
  document_too_large: 'Los resultados ocupan más de {most} MiB. Con menos parciales caben.',
  bad_cursor: 'Esta página es antigua: vuelve a cargarla.',
  filter_beside_cursor: 'Esta página es antigua: vuelve a cargarla.',
  key_not_live: 'La clave ya no está activa y no se puede rotar. Crea otra.',
  key_of_other_content: 'Este envío ya se hizo con otro contenido. Vuelve a elegir el archivo.',
  changed_since_swap:
    'Alguien cambió un resultado después del intercambio. Corrige los resultados uno por uno, o deshaz antes la subida posterior.',
  not_confirmed: 'Nada se ha guardado: algo habla en contra.',
  'not_confirmed:times':
    'Nada se ha movido: los tiempos de estos dorsales serían cero o menos, o el de pistola menor que el de chip: {bibs}.',
  not_present: 'Alguien ha cambiado esto entretanto. Vuelve a mirarlo.',
  no_such_runner: 'Ningún corredor de esta carrera tiene el dorsal {bib}.',
  nothing_to_swap: 'Ninguno de los dos corredores tiene resultado.',
};

/** A page has no flags: a parameter of a file has its own name. */
const asParameters = (text: string) =>
  text.replace(/--([a-z-]+)/g, (_, flag: string) => flag.replaceAll('-', '_'));

const FAULTS = Object.fromEntries(
  Object.entries(SPANISH_FAULTS).map(([fault, text]) => [
    `file_refused:${fault}`,
    asParameters(text),
  ]),
);

/** The Spanish sentences of warnings and refusals of the API. */
export default { ...SPANISH_SENTENCES, ...FAULTS, ...REFUSALS };
