/** Copies a text, if the browser allows it. */
export const copied = (copy: string) =>
  navigator.clipboard.writeText(copy).then(
    () => true,
    () => false,
  );
