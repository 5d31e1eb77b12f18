/**
 * The board's page, the same for every event. It is part of the Worker and no static file, which
 * would be there for anybody to open without an event; what it loads is in site/board.
 */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Live results</title>
    <link rel="icon" href="/board/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/board/board.css">
    <link rel="modulepreload" href="/board/ask.js">
    <link rel="modulepreload" href="/board/dom.js">
    <link rel="modulepreload" href="/board/feed.js">
    <link rel="modulepreload" href="/board/leaders.js">
    <link rel="modulepreload" href="/board/preferences.js">
    <link rel="modulepreload" href="/board/runner.js">
    <link rel="modulepreload" href="/board/search.js">
    <link rel="modulepreload" href="/board/texts.js">
    <script type="module" src="/board/board.js"></script>
  </head>
  <body>
    <a class="skip" href="#arrivals-title" data-text="skip">Skip to the latest arrivals</a>

    <header class="bar">
      <div class="event">
        <h1 id="event-name" dir="auto">Live results</h1>
        <p id="event-where"></p>
      </div>
      <p id="status" class="status" data-state="connecting"><span class="dot" aria-hidden="true"></span><span id="status-text"></span></p>
      <div class="tools">
        <fieldset class="choice" data-label="language">
          <button type="button" lang="es" data-language="es" aria-label="ES, Español">ES</button>
          <button type="button" lang="en" data-language="en" aria-label="EN, English">EN</button>
        </fieldset>
        <button type="button" id="theme" class="icon-button" aria-pressed="false" data-label="dark">
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z"/></svg>
        </button>
        <button type="button" id="screen" class="icon-button" aria-pressed="false" data-label="screen">
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h18v11H3zM8 20h8M12 16v4"/></svg>
        </button>
      </div>
    </header>

    <noscript>
      <p class="notice">This page needs JavaScript. <span lang="es">Esta página necesita JavaScript.</span></p>
    </noscript>
    <p id="notice" class="notice" role="status"></p>
    <p id="heard" class="unseen" aria-live="polite"></p>

    <main id="board" hidden>
      <dl id="counts" class="counts"></dl>

      <search class="search">
        <form id="search" novalidate autocomplete="off">
          <label for="bib" data-text="bibLabel">Bib</label>
          <div class="search-line">
            <input id="bib" name="bib" type="search" maxlength="40" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="search" dir="auto">
            <button type="submit" data-text="find">Find</button>
          </div>
        </form>
        <section id="found" class="found" aria-live="polite" hidden></section>
      </search>

      <section class="arrivals" aria-labelledby="arrivals-title">
        <h2 id="arrivals-title" tabindex="-1" data-text="arrivals">Latest arrivals</h2>
        <table id="arrivals" class="rows" aria-labelledby="arrivals-title"><tbody></tbody></table>
        <p id="no-arrivals" class="none" data-text="noArrivals" hidden></p>
      </section>

      <section class="leaders" aria-labelledby="leaders-title">
        <h2 id="leaders-title" data-text="leaders">Leaders</h2>
        <table id="leaders" class="rows" aria-labelledby="leaders-title"><tbody></tbody></table>
      </section>

      <section id="genders-part" class="groups" aria-labelledby="genders-title">
        <h2 id="genders-title" data-text="genders">By gender</h2>
        <div id="genders" class="cards"></div>
      </section>

      <section id="distances-part" class="groups" aria-labelledby="distances-title">
        <h2 id="distances-title" data-text="distances">By distance</h2>
        <div id="distances" class="cards"></div>
      </section>

      <section id="categories-part" class="groups" aria-labelledby="categories-title">
        <h2 id="categories-title" data-text="categories">By category</h2>
        <div id="categories" class="cards"></div>
      </section>
    </main>
  </body>
</html>
`;

/** What the page may do: load its own files, ask this Worker, and nothing else. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
