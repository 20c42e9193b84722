/**
 * An upper bound of how much a backtracking engine can try: `ways * WINDOW ** (degree + 1)` things on a text of WINDOW characters. A state
 * says what it can have tried up to a place of the pattern; each function returns the state behind one more part.
 */

/** The redaction looks through this many characters at a time (docs/redaction.md). */
const WINDOW = 512;
/** A tenth of a second, or a second if much has to be compared each time. */
const MOST_STEPS = 2 ** 23;
/** More ways than these are too many whatever follows. */
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

/** A character that every match has, and those before it. */
interface Fixed {
  characters: Characters;
  count: number;
  before: Fixed | undefined;
}

/** An open-ended repeat whose end the engine may still move. */
interface Repeat {
  characters: Characters;
  /** How many fixed characters stand before it. */
  from: number;
  /** The state's degree once it was added. */
  degree: number;
}

/** The search for the place where the match begins, as if the pattern began with `.*`. */
export const SEARCH: Repeat = { characters: ANY, from: 0, degree: 0 };

/** What the engine can have tried up to a place of the pattern. */
export interface State {
  repeats: readonly Repeat[];
  fixed: Fixed | undefined;
  /**
   * The length of the longest chain of pairs of repeats that compete for the same text, each pair behind the one before: `x*x*y` has one,
   * `x*:x*y` none. Each multiplies the work by the length of the line (Weber and Seidl, "On the degree of ambiguity of finite automata",
   * 1991, criterion IDA).
   */
  degree: number;
  /** In how many ways alternatives can be taken and short repeats be counted. */
  ways: number;
  /** The short repeat that ends here. Its counts are one way again if a character follows that it cannot match: `a{1,8}:`. */
  last?: { characters: Characters; counts: number } | undefined;
}

const TOO_MANY_PARTS = 'has too many optional or alternative parts';

/** What follows can fail, and then the engine tries everything else before it. */
export function requireFew({ degree, ways }: State): void {
  if (degree > 1)
    throw new Refusal(
      'has too many open-ended repeats that match the same characters (the search for its beginning is one, unless it starts with ^)',
    );
  if (ways * WINDOW ** (degree + 1) >= MOST_STEPS) throw new Refusal(TOO_MANY_PARTS);
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

/** A repeat cannot get past a character that it does not match: its end is settled. */
export function withFixed({ last, ...state }: State, characters: Characters): State {
  return {
    ...state,
    repeats: state.repeats.filter((repeat) => overlap(repeat.characters, characters)),
    fixed: { characters, count: (state.fixed?.count ?? 0) + 1, before: state.fixed },
    ways: last && !overlap(last.characters, characters) ? state.ways / last.counts : state.ways,
  };
}

/** The open-ended repeats that can compete with a repeat of `characters` that follows: it matches all that stands between the two. */
function rivalsOf({ repeats, fixed }: State, characters: Characters): Repeat[] {
  let obstacle = fixed;
  while (obstacle && overlap(obstacle.characters, characters)) obstacle = obstacle.before;
  const reach = obstacle?.count ?? 0;
  return repeats.filter((repeat) => repeat.from >= reach && overlap(repeat.characters, characters));
}

/** What can have been tried after one of two ways. Only what was fixed before they parted is certain. */
export function eitherOf(one: State, other: State, before: State): State {
  return {
    repeats: [...new Set([...one.repeats, ...other.repeats])],
    fixed: before.fixed,
    degree: Math.max(one.degree, other.degree),
    ways: one.ways + other.ways,
  };
}

function overlap(one: Characters, other: Characters): boolean {
  return (one & other) !== 0n;
}

export function charactersOf(atom: string, unicode: 'u' | ''): Characters {
  if (atom === '.') return ANY;
  // A lone bracket or brace is a literal outside of Unicode mode, and is written as one.
  const source = /^[\]{}]$/.test(atom) ? `\\${atom}` : atom;
  const matcher = new RegExp(`^(?:${source})$`, `i${unicode}`);
  const found = bitsOf((sample) => matcher.test(sample));
  const folded = overlap(found, FOLDED) ? bitsOf((sample) => sample === 'é') : 0n;
  return found | folded | (found === 0n || /[^\0-\x7f]|\\[uUpPxc]/.test(atom) ? BEYOND_ASCII : 0n);
}

function bitsOf(isMatched: (sample: string) => boolean): Characters {
  return SAMPLES.reduce((bits, sample, index) => (isMatched(sample) ? bits | (1n << BigInt(index)) : bits), 0n);
}
