/** What each scope allows: a title, a sentence for choosing it, and what stops without it. */
const en = {
  signInTitle: 'API keys',
  signInLead:
    'Sign in with the session of your organization’s panel. Owners and admins can manage keys.',
  organization: 'Organization id',
  token: 'Session token',
  tokenHint: 'Kept only in this page’s memory: reloading or closing it signs you out.',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  signOut: 'Sign out',
  language: 'Language',
  organizationWrong: 'An organization id looks like 123e4567-e89b-12d3-a456-426614174000.',
  tokenWrong: 'A session token is three parts joined by dots. Paste all of it.',
  keysTitle: 'API keys',
  keysLead:
    'Each key lets one of your systems read your events or upload results. Keep keys on your servers, never in a web page or a repository.',
  newKey: 'New key',
  emptyTitle: 'No keys yet',
  emptyLead: 'Create one for each system that connects, so you can stop one without the others.',
  emptyAction: 'Create the first key',
  retry: 'Try again',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  pageOf: (/** @type {number} */ page, /** @type {number} */ pages, /** @type {number} */ total) =>
    `Page ${page} of ${pages} · ${total} keys`,
  sessionNote: 'Your session lives in this page’s memory. Reloading or closing it signs you out.',
  docs: 'How to use a key: the documentation of the API',
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
  nameHint: 'What will use it, such as “Timing van” or “Website”.',
  nameMissing: 'Give the key a name.',
  nameLong: (/** @type {number} */ length) => `At most 100 characters; this has ${length}.`,
  scopes: 'What it may do',
  scopesMissing: 'Choose at least one.',
  personal: 'Personal data',
  writes: 'Writes',
  expiry: 'When it expires',
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
  rotatedTitle: (/** @type {string} */ name) => `New secret of “${name}”`,
  secretWarning: 'Save it now: this is the only time it is shown, and nobody can recover it.',
  secret: 'Secret',
  copy: 'Copy',
  copied: 'Copied to the clipboard.',
  copyByHand: 'The browser did not allow copying. It is selected: press Ctrl or ⌘ and C.',
  secretUse: 'Your server sends it in the header',
  secretSaved: 'I have saved it',
  rotateTitle: 'Rotate this key?',
  rotateWhat:
    'You get a new secret. The current one stops working at once, and programs that still use it are refused.',
  rotateStops: 'Until they have the new secret, they cannot:',
  rotateAfter: 'The name, what it may do and the expiry stay as they are.',
  revokeTitle: 'Revoke this key?',
  revokeWhat: 'The key stops working at once, wherever it is used.',
  revokeStops: 'Programs that use it can no longer:',
  revokeAfter: 'This is final: a revoked key cannot be turned on again.',
  usedAgo: (/** @type {string} */ ago) => `Last used ${ago}`,
  neverUsed: 'Never used',
  toastCreated: (/** @type {string} */ name) => `“${name}” was created.`,
  toastRotated: (/** @type {string} */ name) => `“${name}” has a new secret.`,
  toastRevoked: (/** @type {string} */ name) => `“${name}” was revoked.`,
  refusedWith: 'The API did not accept this:',
  /** @type {Record<import('./api.js').FailureKind, string>} */
  failures: {
    signedOut:
      'Your session is not valid or has ended. Take a new token from your panel and sign in again.',
    forbidden: 'You belong to this organization, but only its owners and admins manage keys.',
    notFound:
      'There is nothing here for this session: the organization does not exist or you are not a member of it.',
    refused: 'The API did not accept this.',
    tooMany: 'Too many requests just now. Wait a moment and try again.',
    unavailable:
      'The service did not manage to answer. Nothing was lost here; try again in a moment.',
    unreachable: 'No answer came. Check your connection and try again; nothing was lost here.',
  },
  keyGone: 'This key no longer exists.',
  createUnsure:
    'No answer came, so the key may exist already. Look at the list before you try again; what you wrote is kept.',
  rotateUnsure:
    'No answer came, so the current secret may already have stopped. Try again to get a new one.',
  /** @type {Record<string, { title: string, allows: string, stops: string }>} */
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
      allows: 'Read registrations. Reserved for endpoints to come.',
      stops: 'read registrations',
    },
    'stats:read': {
      title: 'Statistics',
      allows: 'Read the aggregated figures of an event.',
      stops: 'read statistics',
    },
    'payments:read': {
      title: 'Payments',
      allows: 'Read the organization’s payments, one row per transaction.',
      stops: 'read payments',
    },
    'results:write': {
      title: 'Results',
      allows: 'Upload race results by bib. The only one that writes.',
      stops: 'upload results',
    },
  },
};

/** @typedef {typeof en} Texts */

/** @type {Texts} */
const es = {
  signInTitle: 'Claves de API',
  signInLead:
    'Entra con la sesión del panel de tu organización. Propietarios y administradores gestionan las claves.',
  organization: 'Id de la organización',
  token: 'Token de sesión',
  tokenHint:
    'Queda solo en la memoria de esta página: al recargarla o cerrarla se cierra la sesión.',
  signIn: 'Entrar',
  signingIn: 'Entrando…',
  signOut: 'Salir',
  language: 'Idioma',
  organizationWrong: 'Un id de organización es como 123e4567-e89b-12d3-a456-426614174000.',
  tokenWrong: 'Un token de sesión son tres partes unidas por puntos. Pégalo entero.',
  keysTitle: 'Claves de API',
  keysLead:
    'Cada clave permite a uno de tus sistemas leer tus eventos o subir resultados. Guárdalas en tus servidores, nunca en una página web ni en un repositorio.',
  newKey: 'Nueva clave',
  emptyTitle: 'Todavía no hay claves',
  emptyLead: 'Crea una por cada sistema que se conecta: así podrás detener uno sin los demás.',
  emptyAction: 'Crear la primera clave',
  retry: 'Reintentar',
  pages: 'Páginas',
  previous: 'Anterior',
  next: 'Siguiente',
  pageOf: (page, pages, total) => `Página ${page} de ${pages} · ${total} claves`,
  sessionNote:
    'Tu sesión vive en la memoria de esta página. Al recargarla o cerrarla se cierra la sesión.',
  docs: 'Cómo se usa una clave: la documentación de la API (en inglés)',
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
  nameHint: 'Qué la usará, por ejemplo «Cronometraje» o «Sitio web».',
  nameMissing: 'Ponle un nombre a la clave.',
  nameLong: (length) => `Como máximo 100 caracteres; este tiene ${length}.`,
  scopes: 'Qué podrá hacer',
  scopesMissing: 'Elige al menos una opción.',
  personal: 'Datos personales',
  writes: 'Escribe',
  expiry: 'Cuándo vence',
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
  rotatedTitle: (name) => `Nuevo secreto de «${name}»`,
  secretWarning: 'Guárdalo ahora: es la única vez que se muestra y nadie puede recuperarlo.',
  secret: 'Secreto',
  copy: 'Copiar',
  copied: 'Copiado al portapapeles.',
  copyByHand: 'El navegador no permitió copiar. Está seleccionado: pulsa Ctrl o ⌘ y C.',
  secretUse: 'Tu servidor lo envía en la cabecera',
  secretSaved: 'Ya lo guardé',
  rotateTitle: '¿Rotar esta clave?',
  rotateWhat:
    'Recibirás un secreto nuevo. El actual deja de funcionar al instante y los programas que aún lo usan serán rechazados.',
  rotateStops: 'Hasta que tengan el secreto nuevo, no podrán:',
  rotateAfter: 'El nombre, lo que puede hacer y el vencimiento no cambian.',
  revokeTitle: '¿Revocar esta clave?',
  revokeWhat: 'La clave deja de funcionar al instante, dondequiera que se use.',
  revokeStops: 'Los programas que la usan ya no podrán:',
  revokeAfter: 'Es definitivo: una clave revocada no se puede volver a activar.',
  usedAgo: (ago) => `Último uso ${ago}`,
  neverUsed: 'Nunca usada',
  toastCreated: (name) => `Se creó «${name}».`,
  toastRotated: (name) => `«${name}» tiene un secreto nuevo.`,
  toastRevoked: (name) => `Se revocó «${name}».`,
  refusedWith: 'La API no lo aceptó:',
  failures: {
    signedOut:
      'La sesión no es válida o terminó. Toma un token nuevo de tu panel y vuelve a entrar.',
    forbidden:
      'Perteneces a esta organización, pero solo propietarios y administradores gestionan claves.',
    notFound: 'No hay nada para esta sesión: la organización no existe o no eres parte de ella.',
    refused: 'La API no lo aceptó.',
    tooMany: 'Demasiadas peticiones en este momento. Espera un poco y reintenta.',
    unavailable: 'El servicio no pudo responder. Aquí no se perdió nada; reintenta en un momento.',
    unreachable: 'No llegó respuesta. Revisa la conexión y reintenta; aquí no se perdió nada.',
  },
  keyGone: 'Esta clave ya no existe.',
  createUnsure:
    'No llegó respuesta: puede que la clave ya exista. Mira la lista antes de reintentar; lo escrito se conserva.',
  rotateUnsure:
    'No llegó respuesta: puede que el secreto actual ya no funcione. Reintenta para recibir uno nuevo.',
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
      allows: 'Leer inscripciones. Reservado para operaciones futuras.',
      stops: 'leer inscripciones',
    },
    'stats:read': {
      title: 'Estadísticas',
      allows: 'Leer las cifras agregadas de un evento.',
      stops: 'leer estadísticas',
    },
    'payments:read': {
      title: 'Pagos',
      allows: 'Leer los pagos de la organización, una fila por transacción.',
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

/** What the page says, in the language in force. */
export let texts = en;
/** For dates: the reader's own locale where it is of the language in force. */
export let locale = 'en';

/** @param {string} code anything but Spanish is English */
export function setLanguage(code) {
  const language = code.toLowerCase().startsWith('es') ? 'es' : 'en';
  texts = LANGUAGES[language];
  locale = navigator.languages.find((known) => known.split('-')[0] === language) ?? language;
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll('[data-text]')) {
    place.textContent = textOf(place.getAttribute('data-text'));
  }
  for (const place of document.querySelectorAll('[data-label]')) {
    place.setAttribute('aria-label', textOf(place.getAttribute('data-label')));
  }
  for (const button of document.querySelectorAll('[data-language]')) {
    const pressed = button.getAttribute('data-language') === language;
    button.setAttribute('aria-pressed', String(pressed));
  }
}

/** @param {string | null} name */
function textOf(name) {
  const text = Object.entries(texts).find(([known]) => known === name)?.[1];
  if (typeof text !== 'string') throw new Error(`no text is named ${name}`);
  return text;
}

/** Date and time of day, which a narrow column parts between the two and nowhere else. @param {Date} date */
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

/** `2 hours ago`, `in 30 days`: in the largest unit that there are two of; else `now`. @param {Date} date */
export function relativeTime(date) {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  for (const [unit, size] of UNITS) {
    const count = Math.round(seconds / size);
    if (Math.abs(count) >= 2) return new Intl.RelativeTimeFormat(locale).format(count, unit);
  }
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
}
