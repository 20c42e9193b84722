/** A place in a glob: where each character leads from here. */
interface State {
  moves: readonly { reads: (char: string) => boolean; to: number }[];
  /** Where to go without reading a character. */
  skipTo?: number;
}

const TOKEN = /\*\*\/|\/\*\*$|\*\*|./gsu;
const WILD: ReadonlySet<string> = new Set(['?', '*', '**', '**/', '/**']);
const isSlash = (char: string) => char === '/';
const isNoSlash = (char: string) => char !== '/';
const isAny = () => true;

/**
 * Returns a function that tests relative paths with `/`: `?` is one character, `*` any number within a segment, `**` any number of
 * segments. Names with a leading dot are nothing special. A test reads the path once, whatever the glob: all ways to match advance together
 * (Thompson's construction), where a regular expression would try them one after the other.
 */
export function createGlob(glob: string): (path: string) => boolean {
  const tokens = Array.from(glob.matchAll(TOKEN), ([token]) => token);
  const states: State[] = [];
  for (const token of tokens) states.push(...statesOf(token, states.length));
  const end = states.length;
  // Most paths differ there, which is soon found.
  const isWild = (token: string) => WILD.has(token);
  const head = tokens.slice(0, tokens.findIndex(isWild)).join('');
  const tail = tokens.slice(tokens.findLastIndex(isWild) + 1).join('');
  if (!tokens.some(isWild)) return (path) => path === glob;

  /** Adds a state with those that it skips to. */
  function enter(active: Set<number>, state: number): void {
    for (let at: number | undefined = state; at !== undefined; at = states[at]?.skipTo) active.add(at);
  }

  return (path) => {
    if (!path.startsWith(head) || !path.endsWith(tail)) return false;
    let active = new Set<number>();
    enter(active, 0);
    for (const char of path) {
      const next = new Set<number>();
      for (const at of active) for (const { reads, to } of states[at]?.moves ?? []) if (reads(char)) enter(next, to);
      if (next.size === 0) return false;
      active = next;
    }
    return active.has(end);
  };
}

/** Returns the states of a token; `at` is the number of the first one. */
function statesOf(token: string, at: number): State[] {
  switch (token) {
    case '?':
      return [{ moves: [{ reads: isNoSlash, to: at + 1 }] }];
    case '*':
      return [{ moves: [{ reads: isNoSlash, to: at }], skipTo: at + 1 }];
    case '**':
      return [{ moves: [{ reads: isAny, to: at }], skipTo: at + 1 }];
    case '**/':
      return [
        { moves: [{ reads: isNoSlash, to: at + 1 }], skipTo: at + 2 },
        {
          moves: [
            { reads: isNoSlash, to: at + 1 },
            { reads: isSlash, to: at },
          ],
        },
      ];
    case '/**':
      return [
        { moves: [{ reads: isSlash, to: at + 1 }], skipTo: at + 2 },
        { moves: [{ reads: isAny, to: at + 1 }], skipTo: at + 2 },
      ];
    default:
      return [{ moves: [{ reads: (char) => char === token, to: at + 1 }] }];
  }
}
