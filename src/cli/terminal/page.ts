import { PROOF } from '../queue/local.ts';
import { localTime, say } from '../words.ts';
import { cellsOf, type OnCourse } from './course.ts';
import { countsOf, type Question, type View } from './view.ts';

/**
 * The page of a running `watch`, without data. The page asks `/view` with the token behind `#`, and shows the answer.
 */
export const pageOf = (): string => `<!doctype html>
<html lang="${say('language')}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>race-results</title>
<style nonce="NONCE">
/* The colours and the type of the panel. */
:root { color-scheme: light dark; --line: light-dark(#dde4e1, #2a3632); --soft: light-dark(#54635c, #a3b5ac); }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; color: light-dark(#14201b, #e7eeea); }
body { background: light-dark(#f3f5f4, #0f1513); overflow-wrap: anywhere; }
section { margin: 1rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 12px; }
section { background: light-dark(#fff, #171f1c); overflow-x: auto; }
h1 { font-size: clamp(3rem, 15vw, 14rem); line-height: 1; margin: 0; overflow-wrap: normal; }
h2 { font-size: 1.125rem; margin: 0 0 0.5rem; }
.state { margin: 0; border: 0; border-radius: 0; background: #0b6a50; color: #fff; }
.LOOK, .QUIET, .OFFLINE, .READING, .SENDING { background: #f3c64b; color: #14201b; }
.STOPPED, .gone { background: #b02a1f; color: #fff; }
table { border-collapse: collapse; white-space: nowrap; }
th, td { text-align: left; padding: 0.25rem 1.25rem 0.25rem 0; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td:first-child { min-width: 8rem; white-space: normal; }
button { font: inherit; min-height: 44px; padding: 0.5rem 1rem; margin: 0 0.5rem 0.5rem 0; border: 0; }
button { border-radius: 8px; background: #0b6a50; color: #fff; }
pre { white-space: pre-wrap; font: inherit; margin: 0 0 0.5rem; }
</style>
<main aria-live="polite"></main>
${(['page_gone_why', 'page_other_why'] as const).map((why) => `<template><section class="state gone"><h1>${html(say('page_gone'))}</h1><p>${html(say(why))}</p></section></template>`).join('\n')}
<script nonce="NONCE">
const main = document.querySelector('main');
const [gone, other] = [...document.querySelectorAll('template')].map((one) => one.innerHTML);
const token = location.hash.slice(1);
const bytes = (text) => new TextEncoder().encode(text);
let isOther = false;
// Another start or another program may have the port by now. It gets no token, and is asked no more.
async function ask(path, more) {
  const key = await crypto.subtle.importKey('raw', bytes(token), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const proven = async (path, headers, more) => {
    if (isOther) throw new Error('other');
    const nonce = crypto.randomUUID();
    const answer = await fetch(path, { headers: { Nonce: nonce, ...headers }, signal: AbortSignal.timeout(5000), ...more });
    const [start, , proof] = (answer.headers.get('${PROOF}') ?? '').split(' ');
    const sign = await crypto.subtle.sign('HMAC', key, bytes(JSON.stringify([nonce, Number(location.port), start])));
    isOther ||= proof !== [...new Uint8Array(sign)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    if (isOther) throw new Error('other');
    return answer;
  };
  await proven('/proof');
  return proven(path, { Authorization: 'Bearer ' + token }, more);
}
let shown = '';
const show = (view) => { if (view !== shown) main.innerHTML = shown = view; };
async function follow() {
  try {
    const answer = await ask('/view');
    show(answer.ok ? await answer.text() : gone);
  } catch { show(isOther ? other : gone); }
  document.title = main.querySelector('h1').textContent + ' race-results';
  if (!isOther) setTimeout(follow, 1000);
}
main.addEventListener('click', async ({ target }) => {
  if (target.tagName !== 'BUTTON') return;
  const entry = JSON.parse(target.dataset.entry);
  const isSure = entry.point === '' ? (entry.point = (prompt(target.textContent) ?? '').trim()) : confirm(target.dataset.ask);
  if (!isSure) return;
  target.disabled = true;
  const answer = await ask('/entry', { method: 'POST', body: JSON.stringify(entry), signal: null }).then((one) => one.json(), () => ({}));
  if (answer.problem ?? answer.waits) alert(answer.problem ?? answer.waits);
  target.disabled = false;
});
follow();
</script>
`;

/** The state, the decisions and the files. All texts of files and of the API are escaped. */
export function viewHtml(view: View, running: readonly OnCourse[]): string {
  const { state, why, files, questions, senders } = view;
  const rejected = files.filter((file) => file.rejected.length > 0);
  return [
    `<section class="state ${state}"><h1>${html(say(`state_${state}`))}</h1>`,
    `<p>${html(why)}</p><p>${html(countsOf(view).join(' · '))}</p></section>`,
    ...questions.map(questionHtml),
    tableHtml(
      say('page_files'),
      say('page_columns'),
      files.map((file) => [
        file.point === null ? file.name : `${file.name} (${file.point})`,
        `${file.rows}`,
        `${file.on_course}`,
        `${file.rejected.length}`,
        timeOf(file.read_at),
      ]),
    ),
    tableHtml(
      say('page_senders'),
      say('senders_columns'),
      senders.map(({ from, what, at, minutes }) => [from, what, timeOf(at), `${minutes}`]),
    ),
    tableHtml(
      say('page_on_course', { count: running.length, missing: view.facts.missing ?? '-' }),
      say('missing_columns'),
      running.slice(0, ROWS_SHOWN).map(cellsOf),
    ),
    ...rejected.map(
      ({ name, rejected }) =>
        `<section><h2>${html(say('page_rejected', { name }))}</h2><pre>${html(rejected.slice(0, ROWS_SHOWN).join('\n'))}</pre></section>`,
    ),
  ].join('\n');
}

const ROWS_SHOWN = 100;

/** Blank without rows. */
function tableHtml(title: string, columns: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<section><h2>${html(title)}</h2><table><tr>${cells('th', columns.split('|'))}</tr>\n${lines}</table></section>`;
}

const timeOf = (instant: string): string => localTime(instant).slice(-8);

function questionHtml({ text, answers }: Question): string {
  const buttons = answers.map(({ label, entry }) => {
    const ask = `${text}\n\n${say(label)}?`;
    return `<button data-entry="${html(JSON.stringify(entry))}" data-ask="${html(ask)}">${html(say(label))}</button>`;
  });
  return `<section><pre>${html(text)}</pre>${buttons.join('')}</section>`;
}

const cells = (tag: string, texts: readonly string[]) =>
  texts.map((text) => `<${tag}>${html(text)}</${tag}>`).join('');

function html(text: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}
