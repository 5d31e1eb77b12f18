// On a narrow screen the list of guides is one line. The page that the reader is on is in sight there.
const list = document.querySelector('.guides');
const current = list?.querySelector('[aria-current]');
if (list && current instanceof HTMLElement) {
  list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}

export {};
