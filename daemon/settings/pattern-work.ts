/**
 * Computes an upper bound of the steps a backtracking engine can take: `ways * run * WINDOW ** (degree + 1)` on a text of WINDOW characters.
 * A state bounds the ways to match the pattern up to some point; each function returns the state after one more part.
 */

/** The redaction looks through this many characters at a time (docs/redaction.md). */
const WINDOW = 512;
/** Takes a tenth of a second, or a second if each step compares much text. */
const MOST_STEPS = 2 ** 23;
/** More ways than this are too many, whatever follows. */
export const MOST_WAYS = MOST_STEPS / WINDOW;

/** Why a pattern is not safe, as the end of a sentence. */
export class Refusal extends Error {}

/** The characters that something matches, as one bit per sample. */
export type Characters = bigint;

/** ASCII, and three characters that stand for all others. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), 'é', '中', '\u{2028}'];
const ANY = bitsOf(() => true);
const BEYOND_ASCII = bitsOf((sample) => sample > '\x7f');
/** Letters that match another one beyond ASCII, U+017F or U+212A, if case is ignored. */
const FOLDED = bitsOf((sample) => 'sk'.includes(sample));

/** A character that is part of every match, with those before it. */
interface Fixed {
  characters: Characters;
  count: number;
  before: Fixed | undefined;
}

/** An open-ended repeat whose end the engine may still move. */
interface Repeat {
  characters: Characters;
  /** How many fixed characters precede it. */
  from: number;
  /** The state's degree after it was added. */
  degree: number;
}

/** The search for the place where the match begins, as if the pattern began with `.*`. */
export const SEARCH: Repeat = { characters: ANY, from: 0, degree: 0 };

/** Bounds what the engine can have tried up to some point of the pattern. */
export interface State {
  repeats: readonly Repeat[];
  fixed: Fixed | undefined;
  /**
   * The length of the longest chain of pairs of repeats that compete for the same text, where each pair follows the previous one: `x*x*y`
   * has one, `x*:x*y` none. Each pair multiplies the work by the length of the line (Weber and Seidl, "On the degree of ambiguity of finite
   * automata", 1991, criterion IDA).
   */
  degree: number;
  /** The number of ways to choose alternatives and to count short repeats. */
  ways: number;
  /** The longest fixed number of repeats, such as 500 for `a{500}`: the engine may count so far each time before it fails. */
  run: number;
  /** The short repeat that ends here. If the next character cannot match it, only one count is possible: `a{1,8}:`. */
  last?: { characters: Characters; counts: number } | undefined;
}

const SHORT_RUN = 8;

const TOO_MANY_IN_A_ROW = 'repeats something many times in a row where that can begin at too many places';
const TOO_MANY_PARTS = 'has too many optional or alternative parts';

/** The rest of the pattern can fail, and then the engine tries every other way before it. */
export function requireFew({ degree, ways, run }: State): void {
  if (degree > 1)
    throw new Refusal(
      'has too many open-ended repeats that match the same characters (the search for its beginning is one, unless it starts with ^)',
    );
  const steps = ways * WINDOW ** (degree + 1);
  if (steps < MOST_STEPS && steps * run > MOST_STEPS) throw new Refusal(TOO_MANY_IN_A_ROW);
  if (steps >= MOST_STEPS) throw new Refusal(TOO_MANY_PARTS);
}

export function withRepeat(state: State, characters: Characters): State {
  if (state.degree > 1) return state;
  const degree = Math.max(state.degree, ...rivalsOf(state, characters).map((rival) => rival.degree + 1));
  const repeat = { characters, from: state.fixed?.count ?? 0, degree };
  return { ...state, degree, repeats: [...state.repeats, repeat], last: undefined };
}

export function withCounts(state: State, characters: Characters, counts: number): State {
  if (counts === 1) return { ...state, last: undefined };
  const ways = state.ways * counts;
  if (ways >= MOST_WAYS) throw new Refusal(TOO_MANY_PARTS);
  const isAlone = rivalsOf(state, characters).every((rival) => rival === SEARCH);
  return { ...state, ways, last: isAlone ? { characters, counts } : undefined };
}

/** Something stands `count` times in a row. Few are like a word, and more than the window holds never match. */
export function withRun(state: State, count: number): State {
  return count <= SHORT_RUN ? state : { ...state, run: Math.max(state.run, Math.min(count, WINDOW)) };
}

/** A repeat cannot continue past a character that it does not match, so its end is fixed. */
export function withFixed({ last, ...state }: State, characters: Characters): State {
  return {
    ...state,
    repeats: state.repeats.filter((repeat) => overlap(repeat.characters, characters)),
    fixed: { characters, count: (state.fixed?.count ?? 0) + 1, before: state.fixed },
    ways: last && !overlap(last.characters, characters) ? state.ways / last.counts : state.ways,
  };
}

/** Returns the open-ended repeats that compete with a following repeat of `characters`, because it matches everything between the two. */
function rivalsOf({ repeats, fixed }: State, characters: Characters): Repeat[] {
  let obstacle = fixed;
  while (obstacle && overlap(obstacle.characters, characters)) obstacle = obstacle.before;
  const reach = obstacle?.count ?? 0;
  return repeats.filter((repeat) => repeat.from >= reach && overlap(repeat.characters, characters));
}

/** Returns the state after either of two alternatives. Only what was fixed before them is certain. */
export function eitherOf(one: State, other: State, before: State): State {
  return {
    repeats: [...new Set([...one.repeats, ...other.repeats])],
    fixed: before.fixed,
    degree: Math.max(one.degree, other.degree),
    ways: one.ways + other.ways,
    run: Math.max(one.run, other.run),
  };
}

function overlap(one: Characters, other: Characters): boolean {
  return (one & other) !== 0n;
}

export function charactersOf(atom: string, unicode: 'u' | ''): Characters {
  if (atom === '.') return ANY;
  // Outside of Unicode mode, a lone bracket or brace is a literal.
  const source = /^[\]{}]$/.test(atom) ? `\\${atom}` : atom;
  const matcher = new RegExp(`^(?:${source})$`, `i${unicode}`);
  const found = bitsOf((sample) => matcher.test(sample));
  const folded = overlap(found, FOLDED) ? bitsOf((sample) => sample === 'é') : 0n;
  return found | folded | (found === 0n || /[^\0-\x7f]|\\[uUpPxc]/.test(atom) ? BEYOND_ASCII : 0n);
}

function bitsOf(isMatched: (sample: string) => boolean): Characters {
  return SAMPLES.reduce((bits, sample, index) => (isMatched(sample) ? bits | (1n << BigInt(index)) : bits), 0n);
}
