import type { Download, Page } from 'playwright-core';
import { type Phase, RACE, type World } from './world.ts';

type Who = 'organizer' | 'spectator';

/** A person with a screen. The person finds everything by its role, its name or its text. */
export type Hand = {
  page: Page;
  world: World;
  /** Presses a button of this name. */
  press(name: string | RegExp): Promise<void>;
  /** Follows a link of this name. */
  follow(name: string | RegExp): Promise<void>;
  /** Opens a fold by its line. */
  unfold(name: string | RegExp): Promise<void>;
  /** Presses a button of the open question. */
  answer(name: string | RegExp): Promise<void>;
  /** Chooses an option of the list of this name. */
  choose(name: string | RegExp, option: string): Promise<void>;
  /** Ticks or picks a choice of this name. */
  tick(name: string | RegExp): Promise<void>;
  /** Types into a field of this name. */
  type(name: string | RegExp, text: string): Promise<void>;
  /** Waits until a text is on the screen. */
  see(...texts: (string | RegExp)[]): Promise<void>;
  /** Gives a file to the field of this name: by its path, or by its name and content. */
  give(name: RegExp, file: string, content?: string): Promise<void>;
  /** Waits for the file that an act saves. */
  saved(act: () => Promise<void>): Promise<Download>;
};

export type Task = {
  who: Who;
  phase: Phase;
  language: 'en' | 'es';
  device: 'phone' | 'desktop';
  /** The address behind the origin, such as a link that the person got. */
  from: 'panel' | 'board';
  name: string;
  play(hand: Hand): Promise<void>;
};

export const handOf = (page: Page, world: World): Hand => ({
  page,
  world,
  press: (name) => page.getByRole('button', { name, exact: true }).first().click(),
  follow: (name) => page.getByRole('link', { name, exact: true }).first().click(),
  unfold: (name) => page.getByText(name, { exact: true }).filter({ visible: true }).first().click(),
  answer: (name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
  choose: async (name, option) => {
    await page.getByRole('combobox', { name, exact: true }).first().selectOption(option);
  },
  tick: (name) =>
    page
      .getByRole('radio', { name, exact: true })
      .or(page.getByRole('checkbox', { name }))
      .first()
      .click(),
  type: (name, text) => page.getByLabel(name, { exact: true }).first().fill(text),
  see: async (...texts) => {
    for (const text of texts)
      await page.getByText(text).filter({ visible: true }).first().waitFor();
  },
  async give(name, file, content) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByText(name).filter({ visible: true }).first().click();
    const made = { name: file, mimeType: 'text/csv', buffer: Buffer.from(content ?? '') };
    await (await chooser).setFiles(content === undefined ? file : made);
  },
  async saved(act) {
    const download = page.waitForEvent('download');
    await act();
    return download;
  },
});

/** Opens the race in the panel, and a part of the race. */
export async function openRace(hand: Hand, part?: string) {
  await hand.follow(new RegExp(RACE));
  await hand.page.getByRole('heading', { name: RACE, level: 1 }).waitFor();
  if (part) await hand.follow(part);
}

type Play = Task['play'];

/** A maker of tasks of a person in a phase. */
export const tasksOf =
  (who: Who, phase: Phase, from: Task['from']) =>
  (language: Task['language'], device: Task['device'], name: string, play: Play): Task => ({
    ...{ who, phase, from, language, device, name, play },
  });
