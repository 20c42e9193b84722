import { stripColours } from '../strip-colours.ts';
import type { KeptLine } from './kept-lines.ts';
import type { Level } from './line-level.ts';

/** Bright black; unlike "faint" (SGR 2) it stays readable in every theme. */
export const GREY = '\x1b[90m';
export const RESET = '\x1b[0m';
const DEFAULT_COLOUR = '\x1b[39m';
const LEVEL_COLOURS: Record<Level, string> = { info: '', warning: '\x1b[33m', error: '\x1b[31m' };
/** Bold, and bright blue: of the sixteen colours the one nearest to the panel's accent. */
const COMMAND_STYLE = '\x1b[1;94m';
/** Addresses of the links that unfold (OSC 8). The daemon lets no game print links. */
const FOLD_LINK = 'frames:';
/** The time at the start of a line, in the formats of all supported servers, after any colours. */
const TIME = /^((?:\x1b\[[\d;]*m)*)(\[?(?:\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}:\d{2}(?:\.\d+)?\]?)/;
/** Any colour or style, but no reset: some servers begin each line with one. */
const OWN_COLOUR = /\x1b\[(?!0*m)/;

/**
 * Greys the time at the start of a line. A warning or error without colours of its own gets the colour of its level; a command has the
 * accent colour.
 */
export function formatLine({ text, level, kind }: KeptLine): string {
  if (kind === 'command') return COMMAND_STYLE + stripColours(text);
  if (level === 'info' || OWN_COLOUR.test(text)) return dimTime(text);
  return dimTime(LEVEL_COLOURS[level] + stripColours(text));
}

/** The line's own colour continues after the time. */
function dimTime(text: string): string {
  return text.replace(TIME, `$1${GREY}$2${DEFAULT_COLOUR}$1`);
}

/** Returns the row in place of folded lines, with a link that unfolds them. `run`: the number of their stack trace's first frame. */
export function formatFold(run: number, text: string): string {
  return `${GREY}    \x1b]8;;${FOLD_LINK}${run}\x1b\\▸ ${text}\x1b]8;;\x1b\\${RESET}`;
}

/** Returns the `run` of such a link. */
export function runOfFold(link: string): number {
  return Number(link.slice(FOLD_LINK.length));
}
