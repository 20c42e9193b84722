import { stripColours } from '../strip-colours.ts';

/** Bright black; unlike "faint" (SGR 2) it stays readable in every theme. */
export const GREY = '\x1b[90m';
const DEFAULT_COLOUR = '\x1b[39m';
/** The time at the start of a line, in the formats of all supported servers, after any colours. */
const TIME = /^((?:\x1b\[[\d;]*m)*)(\[?(?:\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}:\d{2}(?:\.\d+)?\]?)/;
/** Levels, and the names of Java's exceptions and errors, such as `NullPointerException` and `java.lang.OutOfMemoryError`. */
const WARNING = /\b(?:WARN|WARNING|ERROR|SEVERE|FATAL)\b|Exception\b|[a-z]Error\b/;

/** Greys the time at the start of a line. The line's own colour continues after it. */
export function dimTime(text: string): string {
  return text.replace(TIME, `$1${GREY}$2${DEFAULT_COLOUR}$1`);
}

export function isWarning(text: string): boolean {
  return WARNING.test(stripColours(text));
}
