/** SGR sequences, the only escape sequences that the daemon lets through (ECMA-48, 8.3.117). */
const COLOUR = /\x1b\[[\d;:]*m/g;

export function stripColours(text: string): string {
  return text.replace(COLOUR, '');
}
