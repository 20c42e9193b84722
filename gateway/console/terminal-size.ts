import * as z from 'zod';

const COLUMNS = { min: 20, max: 500 } as const;
const ROWS = { min: 5, max: 200 } as const;

const terminalSize = z.strictObject({ columns: lengthIn(COLUMNS), rows: lengthIn(ROWS) });

/** Size of a viewer's terminal, in characters. */
export type TerminalSize = z.infer<typeof terminalSize>;

export const terminalSizeQuery = {
  columns: fromText(COLUMNS).describe(
    `Width of the client's terminal, ${COLUMNS.min} to ${COLUMNS.max}; requires rows`,
  ),
  rows: fromText(ROWS).describe(`Height of the client's terminal, ${ROWS.min} to ${ROWS.max}; requires columns`),
};

/** Parses a binary frame. Returns `undefined` if it holds no size. */
export function readTerminalSize(frame: Buffer): TerminalSize | undefined {
  try {
    return terminalSize.safeParse(JSON.parse(frame.toString())).data;
  } catch {
    return undefined;
  }
}

function lengthIn({ min, max }: { min: number; max: number }) {
  return z.int().min(min).max(max);
}

function fromText(range: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(lengthIn(range))
    .optional();
}
