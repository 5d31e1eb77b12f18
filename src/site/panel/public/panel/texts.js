import { languageOf, localeOf, showTexts } from '../shared/languages.js';

const en = {
  signInTitle: 'Events and API keys',
  signInLead:
    'Open this page from your organization’s panel: its link signs you in. You can also paste a session here. Owners and admins can sign in.',
  organization: 'Organization id',
  token: 'Session token',
  tokenHint: 'The token is never shown. It stays in this tab until you sign out or close the tab.',
  comeBack: 'Your organization’s panel opens this page with a new session.',
  backTo: (/** @type {string} */ host) => `Go back to ${host}`,
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  signOut: 'Sign out',
  language: 'Language',
  organizationWrong: 'An organization id looks like 123e4567-e89b-12d3-a456-426614174000.',
  tokenWrong: 'A session token has three parts joined by dots. Paste the whole token.',
  views: 'Parts of the panel',
  eventsTitle: 'Events',
  eventsLead:
    'Each event can have a live board: a public page with the results during the race. A change is visible to everybody within 10 seconds.',
  noEventsTitle: 'No events yet',
  noEventsLead:
    'Create an event in your organization’s panel. Then you can switch on its board here.',
  boardOf: (/** @type {string} */ name) => `Live board of ${name}`,
  switches: {
    board_enabled: {
      title: 'Live board',
      on: 'Everybody with the address can see the results.',
      off: 'Nobody sees the board.',
      toastOn: (/** @type {string} */ name) => `The board of “${name}” is on.`,
      toastOff: (/** @type {string} */ name) => `The board of “${name}” is off.`,
    },
    board_shows_names: {
      title: 'Names',
      on: 'The board shows the given name and the initial of the surname.',
      off: 'The board shows only bibs.',
      toastOn: (/** @type {string} */ name) => `The board of “${name}” shows names.`,
      toastOff: (/** @type {string} */ name) => `The board of “${name}” shows only bibs.`,
    },
  },
  copyAddress: 'Copy address',
  copyAddressOf: (/** @type {string} */ name) => `Copy address of the board of ${name}`,
  addressCopied: 'Address copied to the clipboard.',
  addressNotCopied: 'The browser did not allow copying. Select the address and copy it.',
  code: 'QR code',
  codeOf: (/** @type {string} */ name) => `QR code of the board of ${name}`,
  preview: 'Preview',
  previewOf: (/** @type {string} */ name) => `Preview the board of ${name}`,
  previewWall: 'Large screen',
  previewWallOf: (/** @type {string} */ name) => `Large screen: board of ${name}`,
  print: 'Print',
  codeFile: 'Save as a file',
  searchEvents: 'Search events',
  noEventMatch: 'No event matches the search.',
  sortKeys: 'Order of the keys',
  sortNewest: 'Newest first',
  sortUsed: 'Last used first',
  close: 'Close',
  keysTitle: 'API keys',
  keysLead:
    'Each key lets one of your systems read your events or upload results. Keep keys on your servers, never in a web page or a repository.',
  newKey: 'New key',
  emptyTitle: 'No keys yet',
  emptyLead: 'Create one key per system. Then you can revoke one key without affecting the others.',
  emptyAction: 'Create the first key',
  retry: 'Try again',
  searchKeys: 'Search keys',
  searchedFields: 'Name, prefix, permission or creator',
  filterKeys: 'Show keys by state',
  filters: { all: 'All', active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  noMatch: 'No key matches the search.',
  clearSearch: 'Show all keys',
  showMore: (/** @type {number} */ rest) => `Show more (${rest} left)`,
  expiresIn: (/** @type {string} */ when) => `Expires ${when}`,
  expireSoon: (/** @type {number} */ count) =>
    count === 1 ? 'One key expires within a week:' : `${count} keys expire within a week:`,
  expireSoonWhat:
    'Rotating a key does not change its expiry. Create a new key and give it to the program before the old key expires.',
  details: 'Details',
  detailsOf: (/** @type {string} */ name) => `Details of ${name}`,
  history: 'History',
  loading: 'Loading…',
  noHistory: 'There is no record of this key’s history.',
  kinds: { created: 'Created', renamed: 'Renamed', rotated: 'Rotated', revoked: 'Revoked' },
  by: (/** @type {string} */ actor) => `by ${actor}`,
  you: 'you',
  sessionNote: 'Your session stays in this tab until you sign out or close the tab.',
  docs: 'API documentation: how to use a key',
  states: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  lastUsed: 'Last used',
  never: 'Never',
  expires: 'Expires',
  expired: 'Expired',
  revoked: 'Revoked',
  created: 'Created',
  rotate: 'Rotate',
  revoke: 'Revoke',
  rotateNamed: (/** @type {string} */ name) => `Rotate ${name}`,
  revokeNamed: (/** @type {string} */ name) => `Revoke ${name}`,
  formTitle: 'New key',
  name: 'Name',
  nameHint: 'The system that will use the key, such as “Timing van” or “Website”.',
  nameMissing: 'Give the key a name.',
  nameLong: (/** @type {number} */ length) =>
    `Use at most 100 characters. This name has ${length}.`,
  scopes: 'Permissions',
  scopesMissing: 'Choose at least one permission.',
  personal: 'Personal data',
  writes: 'Writes',
  reserved: 'Reserved',
  expiry: 'Expiry',
  expiryNever: 'Never',
  expiry30: '30 days',
  expiry90: '90 days',
  expiry365: '1 year',
  expiryDate: 'On a date',
  dateAndTime: 'Date and time',
  dateMissing: 'Choose a date and a time.',
  datePast: 'Choose a moment in the future.',
  stopsOn: (/** @type {string} */ when) => `Stops working on ${when}`,
  cancel: 'Cancel',
  create: 'Create key',
  secretTitle: (/** @type {string} */ name) => `The key “${name}” is ready`,
  rotatedTitle: (/** @type {string} */ name) => `The key “${name}” has a new secret`,
  secretWarning: 'Save the key now. It is shown only once, and nobody can recover it.',
  secret: 'Full key',
  copy: 'Copy',
  copied: 'Copied to the clipboard.',
  copyByHand: 'The browser did not allow copying. The key is selected: press Ctrl+C or ⌘C.',
  secretUse: 'Your server sends the key in the header',
  secretSaved: 'I have saved the key',
  rotateTitle: 'Rotate this key?',
  rotateWhat:
    'The key gets a new secret. The current secret stops working at once, and the API refuses programs that still use it.',
  rotateStops: 'Until these programs have the new secret, they cannot:',
  rotateAfter: 'The name, the permissions and the expiry do not change.',
  revokeTitle: 'Revoke this key?',
  revokeWhat: 'The key stops working everywhere at once.',
  revokeStops: 'Programs that use the key can no longer:',
  revokeAfter: 'This is final: you cannot activate a revoked key again.',
  usedAgo: (/** @type {string} */ ago) => `Last used ${ago}`,
  neverUsed: 'Never used',
  toastCreated: (/** @type {string} */ name) => `Key “${name}” created.`,
  toastRotated: (/** @type {string} */ name) => `Key “${name}” has a new secret.`,
  toastRevoked: (/** @type {string} */ name) => `Key “${name}” revoked.`,
  refusedWith: 'The API did not accept the request:',
  /** @type {Record<import('./api.js').FailureKind, string>} */
  failures: {
    signedOut:
      'Your session is invalid or has expired. Open this page again from your organization’s panel.',
    forbidden:
      'You are a member of this organization, but only owners and admins can open this page.',
    notFound: 'The organization does not exist, or you are not a member of it.',
    refused: 'The API did not accept the request.',
    tooMany: 'There are too many requests. Wait a moment and try again.',
    unavailable: 'The service could not answer. You have lost nothing. Try again in a moment.',
    unreachable: 'No answer came. You have lost nothing. Check your connection and try again.',
  },
  keyGone: 'This key no longer exists.',
  createUnsure:
    'No answer came, so the key may already exist. Check the list before you try again. The form keeps your input.',
  rotateUnsure:
    'No answer came, so the current secret may have stopped working. Try again to get a new one.',
  /**
   * A title, what the scope allows, and what a program can no longer do without it.
   * @type {Record<import('../../../../worker/scopes.ts').Scope, { title: string, allows: string, stops: string }>}
   */
  scope: {
    'events:read': {
      title: 'Events',
      allows: 'List and read your events.',
      stops: 'list and read events',
    },
    'participants:read': {
      title: 'Participants',
      allows: 'List and look up participants, with document, email and mobile phone.',
      stops: 'list participants and look them up',
    },
    'inscriptions:read': {
      title: 'Registrations',
      allows: 'Read registrations. No operation uses this permission yet.',
      stops: 'read registrations',
    },
    'stats:read': {
      title: 'Statistics',
      allows: 'Read the statistics of an event.',
      stops: 'read statistics',
    },
    'payments:read': {
      title: 'Payments',
      allows: 'Read payments, one row per transaction. No operation uses this permission yet.',
      stops: 'read payments',
    },
    'results:write': {
      title: 'Results',
      allows: 'Upload race results by bib. This is the only permission that writes.',
      stops: 'upload results',
    },
  },
};

/** @typedef {typeof en} Texts */

/** @type {Texts} */
const es = {
  signInTitle: 'Eventos y claves de API',
  signInLead:
    'Abre esta página desde el panel de tu organización: su enlace inicia la sesión. También puedes pegar aquí una sesión. Pueden entrar los propietarios y los administradores.',
  organization: 'Identificador de la organización',
  token: 'Token de sesión',
  tokenHint:
    'El token no se muestra nunca. Se queda en esta pestaña hasta que salgas o la cierres.',
  comeBack: 'El panel de tu organización abre esta página con una sesión nueva.',
  backTo: (host) => `Volver a ${host}`,
  signIn: 'Entrar',
  signingIn: 'Entrando…',
  signOut: 'Salir',
  language: 'Idioma',
  organizationWrong:
    'Un identificador de organización tiene esta forma: 123e4567-e89b-12d3-a456-426614174000.',
  tokenWrong: 'Un token de sesión tiene tres partes separadas por puntos. Pega el token completo.',
  views: 'Partes del panel',
  eventsTitle: 'Eventos',
  eventsLead:
    'Cada evento puede tener un tablero en vivo: una página pública con los resultados durante la carrera. Todos ven cada cambio en menos de 10 segundos.',
  noEventsTitle: 'Todavía no hay eventos',
  noEventsLead:
    'Crea un evento en el panel de tu organización. Después podrás activar aquí su tablero.',
  boardOf: (name) => `Tablero en vivo de ${name}`,
  switches: {
    board_enabled: {
      title: 'Tablero en vivo',
      on: 'Quien tenga la dirección puede ver los resultados.',
      off: 'Nadie ve el tablero.',
      toastOn: (name) => `El tablero de «${name}» está activado.`,
      toastOff: (name) => `El tablero de «${name}» está desactivado.`,
    },
    board_shows_names: {
      title: 'Nombres',
      on: 'El tablero muestra el nombre y la inicial del apellido.',
      off: 'El tablero muestra solo los dorsales.',
      toastOn: (name) => `El tablero de «${name}» muestra los nombres.`,
      toastOff: (name) => `El tablero de «${name}» muestra solo los dorsales.`,
    },
  },
  copyAddress: 'Copiar dirección',
  copyAddressOf: (name) => `Copiar dirección del tablero de ${name}`,
  addressCopied: 'Dirección copiada al portapapeles.',
  addressNotCopied: 'El navegador no permitió copiar. Selecciona la dirección y cópiala.',
  code: 'Código QR',
  codeOf: (name) => `Código QR del tablero de ${name}`,
  preview: 'Vista previa',
  previewOf: (name) => `Vista previa del tablero de ${name}`,
  previewWall: 'Pantalla grande',
  previewWallOf: (name) => `Pantalla grande: tablero de ${name}`,
  print: 'Imprimir',
  codeFile: 'Guardar como archivo',
  searchEvents: 'Buscar eventos',
  noEventMatch: 'Ningún evento coincide con la búsqueda.',
  sortKeys: 'Orden de las claves',
  sortNewest: 'Primero las más nuevas',
  sortUsed: 'Primero las últimas usadas',
  close: 'Cerrar',
  keysTitle: 'Claves de API',
  keysLead:
    'Cada clave permite a uno de tus sistemas leer tus eventos o subir resultados. Guarda las claves en tus servidores, nunca en una página web ni en un repositorio.',
  newKey: 'Nueva clave',
  emptyTitle: 'Todavía no hay claves',
  emptyLead: 'Crea una clave para cada sistema. Así puedes revocar una sin afectar a las demás.',
  emptyAction: 'Crear la primera clave',
  retry: 'Reintentar',
  searchKeys: 'Buscar claves',
  searchedFields: 'Nombre, prefijo, permiso o autor',
  filterKeys: 'Mostrar las claves según su estado',
  filters: { all: 'Todas', active: 'Activas', expired: 'Vencidas', revoked: 'Revocadas' },
  noMatch: 'Ninguna clave coincide con la búsqueda.',
  clearSearch: 'Mostrar todas las claves',
  showMore: (rest) => (rest === 1 ? 'Mostrar más (falta 1)' : `Mostrar más (faltan ${rest})`),
  expiresIn: (when) => `Vence ${when}`,
  expireSoon: (count) =>
    count === 1
      ? 'Una clave vence en menos de una semana:'
      : `${count} claves vencen en menos de una semana:`,
  expireSoonWhat:
    'Rotar una clave no cambia su vencimiento. Crea una clave nueva y ponla en el programa antes de que venza la anterior.',
  details: 'Detalles',
  detailsOf: (name) => `Detalles de ${name}`,
  history: 'Historial',
  loading: 'Cargando…',
  noHistory: 'No consta el historial de esta clave.',
  kinds: { created: 'Creada', renamed: 'Renombrada', rotated: 'Rotada', revoked: 'Revocada' },
  by: (actor) => `por ${actor}`,
  you: 'ti',
  sessionNote: 'Tu sesión se queda en esta pestaña hasta que salgas o la cierres.',
  docs: 'Documentación de la API: cómo se usa una clave (en inglés)',
  states: { active: 'Activa', expired: 'Vencida', revoked: 'Revocada' },
  lastUsed: 'Último uso',
  never: 'Nunca',
  expires: 'Vence',
  expired: 'Venció',
  revoked: 'Revocada',
  created: 'Creada',
  rotate: 'Rotar',
  revoke: 'Revocar',
  rotateNamed: (name) => `Rotar ${name}`,
  revokeNamed: (name) => `Revocar ${name}`,
  formTitle: 'Nueva clave',
  name: 'Nombre',
  nameHint: 'El sistema que usará la clave, por ejemplo «Cronometraje» o «Sitio web».',
  nameMissing: 'Ponle un nombre a la clave.',
  nameLong: (length) => `Usa como máximo 100 caracteres. Este nombre tiene ${length}.`,
  scopes: 'Permisos',
  scopesMissing: 'Elige al menos un permiso.',
  personal: 'Datos personales',
  writes: 'Permite escribir',
  reserved: 'Reservado',
  expiry: 'Vencimiento',
  expiryNever: 'Nunca',
  expiry30: '30 días',
  expiry90: '90 días',
  expiry365: '1 año',
  expiryDate: 'En una fecha',
  dateAndTime: 'Fecha y hora',
  dateMissing: 'Elige una fecha y una hora.',
  datePast: 'Elige un momento futuro.',
  stopsOn: (when) => `Deja de funcionar el ${when}`,
  cancel: 'Cancelar',
  create: 'Crear clave',
  secretTitle: (name) => `La clave «${name}» está lista`,
  rotatedTitle: (name) => `La clave «${name}» cambió de secreto`,
  secretWarning:
    'Esta es la clave. Guárdala ahora: se muestra una sola vez y nadie puede recuperarla.',
  secret: 'Clave completa',
  copy: 'Copiar',
  copied: 'Clave copiada al portapapeles.',
  copyByHand: 'El navegador no permitió copiarla. La clave está seleccionada: pulsa Ctrl+C o ⌘C.',
  secretUse: 'Tu servidor la envía en la cabecera',
  secretSaved: 'Ya la guardé',
  rotateTitle: '¿Rotar esta clave?',
  rotateWhat:
    'La clave recibe un secreto nuevo. El actual deja de funcionar al instante, y la API rechaza los programas que todavía lo usan.',
  rotateStops: 'Hasta que esos programas tengan el secreto nuevo, no podrán:',
  rotateAfter: 'El nombre, los permisos y el vencimiento no cambian.',
  revokeTitle: '¿Revocar esta clave?',
  revokeWhat: 'La clave deja de funcionar al instante en todas partes.',
  revokeStops: 'Los programas que usan la clave ya no podrán:',
  revokeAfter: 'Es definitivo: no puedes volver a activar una clave revocada.',
  usedAgo: (ago) => `Último uso: ${ago}`,
  neverUsed: 'Nunca usada',
  toastCreated: (name) => `Clave «${name}» creada.`,
  toastRotated: (name) => `Clave «${name}» rotada.`,
  toastRevoked: (name) => `Clave «${name}» revocada.`,
  refusedWith: 'La API no aceptó la petición:',
  failures: {
    signedOut:
      'La sesión no es válida o ha vencido. Vuelve a abrir esta página desde el panel de tu organización.',
    forbidden:
      'Eres miembro de esta organización, pero solo los propietarios y los administradores pueden abrir esta página.',
    notFound: 'La organización no existe o no eres miembro de ella.',
    refused: 'La API no aceptó la petición.',
    tooMany: 'Hay demasiadas peticiones. Espera un momento y vuelve a intentarlo.',
    unavailable:
      'El servicio no pudo responder. No has perdido nada. Vuelve a intentarlo en un momento.',
    unreachable:
      'No llegó ninguna respuesta. No has perdido nada. Revisa la conexión y vuelve a intentarlo.',
  },
  keyGone: 'Esta clave ya no existe.',
  createUnsure:
    'No llegó ninguna respuesta: puede que la clave ya se haya creado. Mira la lista antes de volver a intentarlo. El formulario conserva tus datos.',
  rotateUnsure:
    'No llegó ninguna respuesta: puede que el secreto actual ya no funcione. Vuelve a intentarlo para recibir uno nuevo.',
  scope: {
    'events:read': {
      title: 'Eventos',
      allows: 'Listar y leer tus eventos.',
      stops: 'listar y leer eventos',
    },
    'participants:read': {
      title: 'Participantes',
      allows: 'Listar y buscar participantes, con documento, correo y teléfono móvil.',
      stops: 'listar y buscar participantes',
    },
    'inscriptions:read': {
      title: 'Inscripciones',
      allows: 'Leer inscripciones. Ninguna operación usa todavía este permiso.',
      stops: 'leer inscripciones',
    },
    'stats:read': {
      title: 'Estadísticas',
      allows: 'Leer las estadísticas de un evento.',
      stops: 'leer estadísticas',
    },
    'payments:read': {
      title: 'Pagos',
      allows:
        'Leer los pagos, una fila por transacción. Ninguna operación usa todavía este permiso.',
      stops: 'leer pagos',
    },
    'results:write': {
      title: 'Resultados',
      allows: 'Subir resultados por dorsal. Es el único permiso que escribe.',
      stops: 'subir resultados',
    },
  },
};

const LANGUAGES = { en, es };

/** The texts of the page in the current language. */
export let texts = en;
/** The locale of dates: the reader's own, if it has the current language. */
let locale = 'en';

/** @param {string} code of a language */
export function setLanguage(code) {
  const language = languageOf(code);
  texts = LANGUAGES[language];
  locale = localeOf(language);
  showTexts(language, texts);
}

/** Date and time. A narrow column breaks the line only between the two. @param {Date} date */
export function absoluteTime(date) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(date);
  return [day, time].map((part) => part.replace(/\s/g, '\u00a0')).join(', ');
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `2 hours ago`, `in 30 days`: the largest unit with a count of at least 2, else `now`. @param {Date} date */
export function relativeTime(date) {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  for (const [unit, size] of UNITS) {
    const count = Math.round(seconds / size);
    if (Math.abs(count) >= 2) return new Intl.RelativeTimeFormat(locale).format(count, unit);
  }
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
}
