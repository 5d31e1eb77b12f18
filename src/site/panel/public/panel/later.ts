/** The panel draws its first view, and then loads the HTML in `later.html` and the scripts of `parts.tsx`. */

/** Links of the page name both. */
const addressOf = (id: string) => document.getElementById(id)?.getAttribute('href') ?? '';

/** Asks for the scripts and what they import. They start when their HTML has come. */
export function preloadScripts() {
  for (const link of document.querySelectorAll('.later-script')) {
    link.setAttribute('rel', 'modulepreload');
  }
}

/** Asks for both early. A failure is not shown here: `loadMarkup` asks again, and shows it. */
export function preloadParts() {
  preloadScripts();
  fetch(addressOf('later')).catch(() => {});
}

let placed: Promise<void> | undefined;

/** Loads the HTML of the later parts and puts it into its places, once. */
export function loadMarkup(): Promise<void> {
  placed ??= askMarkup()
    .then(place)
    .catch((error) => {
      placed = undefined;
      throw error;
    });
  return placed;
}

/** The browser reads it as a document: the policy of the page lets no script make markup of a text. */
const askMarkup = () =>
  new Promise<Document>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', addressOf('later'));
    request.responseType = 'document';
    request.addEventListener('loadend', () => {
      if (request.status === 200 && request.responseXML) resolve(request.responseXML);
      else reject(new Error(`The HTML of the parts answered ${request.status}`));
    });
    request.send();
  });

/** Puts each part into its place. The mark `data-later` hides it until its script runs. */
function place(markup: Document) {
  for (const part of markup.querySelectorAll('[data-into]')) {
    const into = part.getAttribute('data-into') ?? '';
    for (const child of part.children) child.setAttribute('data-later', '');
    (into === 'body' ? document.body : document.getElementById(into))?.append(...part.children);
  }
}
