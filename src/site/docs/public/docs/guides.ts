// On a narrow screen the list of guides is a line. The name of the current page is in sight.
const list = document.querySelector('.guides');
const current = list?.querySelector('[aria-current]');
if (list && current instanceof HTMLElement) {
  list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}

export {};
