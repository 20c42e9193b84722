import { stripVTControlCharacters } from 'node:util';

export interface Column<Row> {
  title: string;
  /** Returns the text of a cell, which may contain colours. */
  cell(row: Row): string;
  align?: 'left' | 'right';
}

const GAP = '  ';

/** Returns a table with columns as wide as their content. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  // A line break in a cell would begin a row.
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row).replace(/\s/g, ' ')));
  const lines = [columns.map(({ title }) => title), ...cells];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => width(cells[index] ?? ''))));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => {
          const space = ' '.repeat((widths[index] ?? 0) - width(cell));
          return columns[index]?.align === 'right' ? space + cell : cell + space;
        })
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function width(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
