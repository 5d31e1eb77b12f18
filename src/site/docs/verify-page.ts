import { guideList, page, SCRIPT, STYLES } from './page.ts';

const PATH = '/docs/verify';

/** The page that verifies official results in the browser. */
export const verifyPage = (): string =>
  page({
    path: PATH,
    title: 'Verify official results',
    description: 'Checks an official version of results, and an export, in your browser.',
    head: `${STYLES}\n    ${SCRIPT}\n    <script type="module" src="/docs/verify.ts"></script>`,
    body: `<div class="columns">
      ${guideList(PATH)}
      <main id="content" class="guide">
        <h1>Verify official results</h1>
        <p>Choose the file of an official version. Your browser checks who signed it, and that nobody changed a result. Choose an export of results too, and see which of its rows are those that were signed.</p>
        <p>The files stay on this device: nothing is sent. What the files say, and how to check them with a program: <a href="/docs/official">Official results</a>.</p>
        <form id="files" class="card verify">
          <p><label for="version">The official version (<code>.jsonl</code>)</label>
          <input id="version" type="file" accept=".jsonl,.ndjson,application/x-ndjson"></p>
          <p><label for="export">An export of results to compare (<code>.csv</code>), if you have one</label>
          <input id="export" type="file" accept=".csv,text/csv"></p>
        </form>
        <div id="verdict" role="status"></div>
        <noscript><p>This page needs JavaScript. The <a href="/docs/official#check-it-with-your-own-program">programs</a> do not.</p></noscript>
      </main>
    </div>`,
  });
