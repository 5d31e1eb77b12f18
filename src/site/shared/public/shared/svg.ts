const SVG = 'http://www.w3.org/2000/svg';

/** Creates an element of a picture. A string child becomes text. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (string | Node)[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  setAll(made, attributes);
  made.append(...children);
  return made;
}

/** Sets attributes, with numbers in tenths of a pixel. */
export function setAll(made: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(
      name,
      typeof value === 'number' ? String(Math.round(value * 10) / 10) : value,
    );
  }
}
