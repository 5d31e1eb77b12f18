import { guideList, type Language, page, pathOf, SCRIPT, STYLES, VERIFY } from './page.ts';

const TEXTS = {
  en: {
    title: 'Verify official results',
    description: 'Checks an official version of results, and an export, in your browser.',
    lead: 'Choose the file of an official version. Your browser checks who signed it, and that nobody changed a result. Choose an export of results too, and see which of its rows are those that were signed.',
    stays:
      'The files stay on this device: nothing is sent. What the files say, and how to check them with a program:',
    guide: 'Official results',
    version: 'The official version',
    export: 'An export of results to compare',
    optional: ', if you have one',
    published: 'Check the published file',
    choose: 'Choose a file',
    drop: 'or drop it here',
    noScript:
      'This page needs JavaScript. The <a href="/docs/official#check-it-with-your-own-program">programs</a> do not.',
  },
  es: {
    title: 'Comprobar resultados oficiales',
    description: 'Comprueba en tu navegador una versión oficial de resultados y una exportación.',
    lead: 'Elige el archivo de una versión oficial. Tu navegador comprueba quién lo firmó y que nadie cambió un resultado. Elige también una exportación de resultados y verás cuáles de sus filas son las firmadas.',
    stays:
      'Los archivos no salen de este dispositivo: no se envía nada. Qué dicen los archivos y cómo comprobarlos con un programa, en inglés:',
    guide: 'Official results',
    version: 'La versión oficial',
    export: 'Una exportación de resultados para comparar',
    optional: ', si tienes una',
    published: 'Comprobar el archivo publicado',
    choose: 'Elige un archivo',
    drop: 'o suéltalo aquí',
    noScript:
      'Esta página necesita JavaScript. Los <a href="/docs/official#check-it-with-your-own-program" hreflang="en">programas</a> no.',
  },
} as const satisfies Record<Language, object>;

/** The page that verifies official results in the browser. */
export function verifyPage(lang: Language): string {
  const path = pathOf(lang === 'es' ? `es/${VERIFY}` : VERIFY);
  const text = TEXTS[lang];
  // The field lies over the whole box, which so takes a click and a dropped file.
  const choice = `<p class="pick" aria-hidden="true"><span class="button">${text.choose}</span> <span class="chosen">${text.drop}</span></p>`;
  return page({
    lang,
    path,
    title: text.title,
    description: text.description,
    head: `${STYLES}\n    ${SCRIPT}\n    <script type="module" src="/docs/verify.ts"></script>`,
    body: `<div class="columns">
      ${guideList(path, lang)}
      <main id="content" class="guide wide">
        <h1>${text.title}</h1>
        <p>${text.lead}</p>
        <button id="published" type="button" class="button" hidden>${text.published}</button>
        <form id="files" class="verify">
          <div><label for="version">${text.version} (<code>.jsonl</code>)</label>
          ${choice}
          <input id="version" type="file" accept=".jsonl,.ndjson,application/x-ndjson"></div>
          <div><label for="export">${text.export} (<code>.csv</code>)${text.optional}</label>
          ${choice}
          <input id="export" type="file" accept=".csv,text/csv"></div>
        </form>
        <div id="verdict" role="status"></div>
        <p>${text.stays} <a href="/docs/official" hreflang="en">${text.guide}</a>.</p>
        <noscript><p>${text.noScript}</p></noscript>
      </main>
    </div>`,
  });
}
