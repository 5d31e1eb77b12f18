/** The texts that replace `{{name}}` in a guide or a page. */
export type Facts = Record<string, string>;

export const fill = (text: string, facts: Facts): string =>
  text.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`No fact is named ${name}.`);
    return fact;
  });
