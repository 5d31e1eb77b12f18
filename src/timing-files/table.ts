import { type ColumnClass, classify } from './column-classes.ts';
import type { FileStart } from './file-start.ts';

/** A column of a table with the cells that stand in it. */
export type Column = {
  index: number;
  name: string;
  /** How a parameter names it: by its header or, where that is blank or not alone, by `#number`. */
  ref: string;
  /** What its name speaks for. */
  class: ColumnClass;
  /** Of every row, trimmed. */
  cells: string[];
};

export function columnsOf({ header, rows }: FileStart): Column[] {
  return header.map((name, index) => ({
    index,
    name,
    ref: isAlone(header, name) ? name : `#${index + 1}`,
    class: classify(name),
    cells: rows.map(({ cells }) => (cells[index] ?? '').trim()),
  }));
}

const isAlone = (header: readonly string[], name: string): boolean =>
  name !== '' && !/^#\d+$/.test(name) && header.filter((other) => other === name).length === 1;

/** Cells with something in them; hyphens alone are nothing, as in `--:--`. */
export const filledCells = ({ cells }: Column): string[] =>
  cells.filter((cell) => !/^[-–—:.]*$/.test(cell));

export const hasNumbers = (column: Column): boolean => {
  const filled = filledCells(column);
  return filled.length > 0 && filled.every((cell) => /^\d+$/.test(cell));
};

/** 1, 2, 3, …: a place or a count of rows. */
export const isCount = (column: Column): boolean => {
  const filled = filledCells(column);
  return filled.length > 1 && filled.every((cell, at) => Number.parseInt(cell, 10) === at + 1);
};

export const distinct = (values: readonly string[]): string[] => [...new Set(values)];
