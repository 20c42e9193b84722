/** A piece of a message of the day with one look. */
export interface MotdSpan {
  text: string;
  /** CSS; absent: the text's own colour. */
  color?: string;
  bold?: boolean;
  italic?: boolean;
  underlined?: boolean;
  struck?: boolean;
  /** The game shows random characters instead. */
  obfuscated?: boolean;
}

/** The game's colours (minecraft.wiki/w/Formatting_codes); the darkest ones lighter, to be readable on the game's dark list. */
export const MOTD_COLORS: Readonly<Record<string, string>> = {
  0: '#8b8b8b',
  1: '#7f8cff',
  2: '#4fc24f',
  3: '#3fbfbf',
  4: '#f0716b',
  5: '#d673d6',
  6: '#ffaa00',
  7: '#aaaaaa',
  8: '#949494',
  9: '#8c8cff',
  a: '#55ff55',
  b: '#55ffff',
  c: '#ff7777',
  d: '#ff77ff',
  e: '#ffff55',
  f: '#ffffff',
};

const STYLES: Readonly<Record<string, keyof MotdSpan>> = {
  k: 'obfuscated',
  l: 'bold',
  m: 'struck',
  n: 'underlined',
  o: 'italic',
};

/** The game shows no more than two. */
const MAX_LINES = 2;

/** `§x§r§r§g§g§b§b`, as proxies write colours of their own; `§` and one character; or text. */
const TOKENS = /§x((?:§[0-9a-f]){6})|§(.)|[^§]+/giu;

/** Returns the lines of a message of the day. A colour ends all styles before it, as in the game. */
export function parseMotd(motd: string): MotdSpan[][] {
  return motd
    .split(/\r?\n|\\n/)
    .slice(0, MAX_LINES)
    .map(parseLine);
}

function parseLine(line: string): MotdSpan[] {
  const spans: MotdSpan[] = [];
  let look: Omit<MotdSpan, 'text'> = {};
  for (const [text, hex, code] of line.matchAll(TOKENS)) {
    if (hex !== undefined) look = { color: `#${hex.replaceAll('§', '')}` };
    else if (code !== undefined) look = lookAfter(look, code.toLowerCase());
    else spans.push({ text, ...look });
  }
  return spans;
}

function lookAfter(look: Omit<MotdSpan, 'text'>, code: string): Omit<MotdSpan, 'text'> {
  const color = MOTD_COLORS[code];
  if (color !== undefined) return { color };
  const style = STYLES[code];
  if (style !== undefined) return { ...look, [style]: true };
  return code === 'r' ? {} : look;
}
