/** All that the daemon lets through of what terminals understand (ECMA-48, 8.3.117). */
const COLOUR = /\x1b\[[\d;:]*m/g;

export function withoutColours(text: string): string {
  return text.replace(COLOUR, '');
}
