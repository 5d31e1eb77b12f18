import type { Guide } from './guide.ts';
import { escaped, page, SCRIPT } from './page.ts';
import { sampleForm } from './sample-form.ts';

const ABOUT =
  'Organizations that run sporting events use this API with their own data: they read events, participants ' +
  'and statistics, upload race results and read them with positions.';

const FIRST_REQUEST =
  'curl -H "X-API-Key: <span data-sample="key">$KEY</span>" ' +
  '"<span data-sample="api">$API</span>/public/v1/events"';

/**
 * The page `/docs`. Its styles stand in the page, so that it is readable after one round trip.
 * @param styles the text of the `style` element. The policy of the page has its digest
 */
export const startPage = (guides: readonly Guide[], styles: string): string =>
  page({
    path: '/docs',
    title: 'Documentation',
    description: ABOUT,
    head: `<style>${styles}</style>\n    ${SCRIPT}`,
    body: `<main id="content" class="guide start">
      <h1>Race Results API</h1>
      <p class="lead">${ABOUT}</p>

      <h2 id="what-it-is">What it is</h2>
      <p>It is a REST API with JSON bodies. A program sends an <a href="/docs/keys">API key</a> with every
        request. The key belongs to one organization, and the program sees only the data of that organization.
        Results are uploaded by bib, as JSON or as the CSV file of your timing software. The API computes the
        positions when somebody reads them. A public <a href="/docs/board">live board</a> can show them during
        the race.</p>

      <h2 id="begin">Begin</h2>
      <ol class="steps">
        <li><strong>Get a key.</strong> The owner or an admin of your organization creates it in the
          <a href="/panel">panel</a>.</li>
        <li><strong>Ask for your events.</strong>
          ${sampleForm(FIRST_REQUEST)}
          <div class="block"><pre tabindex="0"><code>${FIRST_REQUEST}
</code></pre><button type="button" class="button copy">Copy</button></div></li>
        <li><strong>Go on with the <a href="/docs/quickstart">quickstart</a>.</strong> It looks up a bib and
          uploads your first results in five minutes.</li>
      </ol>

      <h2 id="guides">Guides</h2>
      <ul class="cards">
${guides.map(card).join('\n')}
      </ul>

      <h2 id="reference">Reference</h2>
      <p>The <a href="/docs/reference">reference</a> describes every operation. It is generated from the same schemas that check the requests. The <a href="/docs/console">console</a>
        sends requests from the page. The description itself is <a href="/openapi.json">openapi.json</a>, as
        OpenAPI 3.1. Programs that read documentation begin with <a href="/llms.txt">llms.txt</a>.</p>
    </main>`,
  });

const card = ({ slug, title, about }: Guide): string =>
  `        <li class="card"><a href="/docs/${slug}">${escaped(title)}</a> ${escaped(about)}</li>`;
