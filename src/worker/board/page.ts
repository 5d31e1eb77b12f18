/**
 * The board's page, the same for every event. The Worker serves it, because a static file would answer
 * for events without a board too. Its scripts and styles are in src/site/board.
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
    <link rel="stylesheet" href="/shared/colours.css">
    <link rel="stylesheet" href="/board/board.css">
    <link rel="modulepreload" href="/board/address.js">
    <link rel="modulepreload" href="/board/ask.js">
    <link rel="modulepreload" href="/board/feed.js">
    <link rel="modulepreload" href="/board/leaders.js">
    <link rel="modulepreload" href="/board/list.js">
    <link rel="modulepreload" href="/board/pace.js">
    <link rel="modulepreload" href="/board/preferences.js">
    <link rel="modulepreload" href="/board/race-state.js">
    <link rel="modulepreload" href="/board/runner.js">
    <link rel="modulepreload" href="/board/search.js">
    <link rel="modulepreload" href="/board/texts.js">
    <link rel="modulepreload" href="/board/wall.js">
    <link rel="modulepreload" href="/shared/dom.js">
    <script type="module" src="/board/board.js"></script>
  </head>
  <body>
    <a id="skip" class="skip" href="#arrivals-title" data-text="skip">Skip to the results</a>

    <header class="bar">
      <div class="event">
        <h1 id="event-name" dir="auto">Live results</h1>
        <p id="event-where" dir="auto"></p>
      </div>
      <p id="status" class="status" data-state="connecting"><span class="dot" aria-hidden="true"></span><span id="status-text">Loading…</span></p>
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
      <p class="no-script">This page needs JavaScript. <span lang="es">Esta página necesita JavaScript.</span></p>
    </noscript>
    <p id="notice" class="notice" role="status"></p>
    <p id="heard" class="unseen" aria-live="polite"></p>

    <main id="loading" class="loading" aria-busy="true">
      <div></div><div></div><div></div>
    </main>

    <main id="board" hidden>
      <div class="board">
        <search class="search">
          <form id="search" novalidate autocomplete="off">
            <label for="bib" data-text="bibLabel">Find a runner by bib</label>
            <div class="search-line">
              <input id="bib" name="bib" type="search" maxlength="40" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="search" dir="auto">
              <button type="submit" data-text="find">Find</button>
            </div>
          </form>
          <section id="found" class="found" aria-live="polite" hidden></section>
        </search>

        <nav id="races" class="tabs" data-label="races" hidden></nav>

        <section id="before" class="before" hidden>
          <p id="before-date" class="date"></p>
          <p id="before-text"></p>
        </section>

        <div id="standings" class="standings" hidden>
          <dl id="counts" class="counts"></dl>

          <section class="arrivals" aria-labelledby="arrivals-title">
            <header>
              <h2 id="arrivals-title" tabindex="-1" data-text="arrivals">Latest arrivals</h2>
              <p id="last-arrival"></p>
            </header>
            <table id="arrivals" class="rows" aria-labelledby="arrivals-title"><tbody></tbody></table>
            <p id="no-arrivals" class="none" data-text="noArrivals" hidden></p>
          </section>

          <section class="leaders" aria-labelledby="leaders-title">
            <header><h2 id="leaders-title" data-text="leaders">Overall</h2></header>
            <table id="leaders" class="rows" aria-labelledby="leaders-title"><tbody></tbody></table>
          </section>

          <p class="all"><a id="all-results" class="button" href="?list">All results</a></p>

          <section id="genders-part" class="groups" aria-labelledby="genders-title">
            <h2 id="genders-title" data-text="genders">By gender</h2>
            <div id="genders" class="cards"></div>
          </section>

          <section id="categories-part" class="groups" aria-labelledby="categories-title">
            <h2 id="categories-title" data-text="categories">By category</h2>
            <div id="categories" class="cards"></div>
          </section>
        </div>

        <section id="list" class="list" aria-labelledby="list-title" hidden>
          <header>
            <h2 id="list-title" tabindex="-1">All results</h2>
            <a id="list-back" href="?" data-text="back">Back to the board</a>
          </header>
          <div class="filters">
            <label><span data-text="genderLabel">Gender</span> <select id="list-gender"></select></label>
            <label><span data-text="categoryLabel">Category</span> <select id="list-category"></select></label>
            <p id="list-state" role="status"></p>
          </div>
          <table id="list-rows" class="rows" aria-labelledby="list-title"><tbody></tbody></table>
          <nav id="list-pager" class="pager" data-label="pages" hidden>
            <a id="list-previous" class="button">Previous</a>
            <p id="list-page"></p>
            <a id="list-next" class="button">Next</a>
          </nav>
        </section>
      </div>

      <section id="wall" class="wall" aria-labelledby="wall-title">
        <h2 id="wall-title" dir="auto"></h2>
        <ol id="wall-lines"></ol>
        <p id="wall-none"></p>
      </section>
    </main>
    <button type="button" id="fresh" class="fresh" hidden></button>
  </body>
</html>
`;

/** The page may load its own files and call this Worker, and nothing else. */
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
