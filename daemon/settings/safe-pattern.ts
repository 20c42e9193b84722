/**
 * Owners' regular expressions are matched against what a game server prints, which its players have a say in. JavaScript's engine
 * backtracks, so a careless pattern could hold up a supervisor for hours on one line (CWE-1333). This check is stricter than need
 * be, but it lets through what people write to find a log line.
 *
 * Refused: what RE2 cannot do either (look-around, back-references), a repeat of something that itself varies (`(a+)+`, `(a|b)*`),
 * and three open-ended repeats that could share out the same characters among themselves and then fail (`.*.*.*x`). The search for
 * the place where a match begins is such a repeat, too, unless there is a `^` (`x*x*y`).
 */

/** Two repeats over the same characters cost the square of a line's length; a third would cost the cube. */
const MAX_OVERLAPPING_REPEATS = 2;
/** A counted repeat up to here is no different from writing it out; RE2 ends at 1000 as well. */
const MAX_COUNT = 1_000;
const SHORT_COUNT = 8;
/** Each optional part may double the work. */
const MAX_OPTIONAL = 12;

/**
 * What is wrong with a pattern, as the end of a sentence that starts with its name; `undefined` for a good one. `flags` are those
 * that it will be used with. `shortLines`: it looks through at most 1,000 characters of a line, and seldom, so that a search that costs
 * the cube of that is bearable; every `.*a.*b` passes, as it does in RE2.
 */
export function patternProblem(
  source: string,
  { flags = '', shortLines = false }: { flags?: string; shortLines?: boolean } = {},
): string | undefined {
  try {
    new RegExp(source, flags);
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
  try {
    new Analysis(source).run({ startCounts: !shortLines });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

class Refusal extends Error {}

/** The characters that something matches, as one bit per sample. */
type Characters = bigint;

interface Part {
  /** `undefined`: matches a place, not a character. */
  characters: Characters | undefined;
  /** Can match texts of several lengths, or in several ways: `bounded` a few, `open` any number. */
  varies: 'no' | 'bounded' | 'open';
}

const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), 'é', '中', '\u{2028}'];
const ANY: Characters = (1n << BigInt(SAMPLES.length)) - 1n;

/** What has been matched so far and may yet be matched in another way. */
interface Open {
  /** The open-ended repeats whose end a following part may still move. */
  repeats: readonly Characters[];
  /** What stands for certain between the beginning of the match, which may move, and here; `undefined`: it cannot move. */
  start: readonly Characters[] | undefined;
  /** There is too much of it: nothing that may fail may follow. */
  tooMuch: boolean;
}

/** Walks the pattern once. */
class Analysis {
  readonly #source: string;
  #at = 0;
  #optional = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run({ startCounts }: { startCounts: boolean }): void {
    this.#alternatives({ repeats: [], start: startCounts ? [] : undefined, tooMuch: false });
  }

  #alternatives(open: Open): Part & { open: Open } {
    const branches = [this.#sequence(open)];
    while (this.#take('|')) branches.push(this.#sequence(open));
    return {
      characters: branches.reduce((all, { characters = 0n }) => all | characters, 0n),
      varies: mostOf([branches.length > 1 ? 'bounded' : 'no', ...branches.map((branch) => branch.varies)]),
      open: branches.map((branch) => branch.open).reduce((one, other) => eitherOf(one, other, open.start)),
    };
  }

  #sequence(open: Open): Part & { open: Open } {
    const whole: { characters: Characters; varies: Part['varies']; open: Open } = {
      characters: 0n,
      varies: 'no',
      open,
    };
    while (this.#at < this.#source.length && !this.#sees(/[|)]/y)) {
      const before = whole.open;
      const isStart = this.#sees(/\^/y) && before.start?.length === 0 && before.repeats.length === 0;
      const part = this.#sees(/\(/y) ? this.#group(before) : { ...this.#atom(), open: before };
      const { min, max } = this.#quantifier();
      whole.characters |= part.characters ?? 0n;
      const isOpen = max > SHORT_COUNT && min !== max;
      whole.varies = mostOf([whole.varies, part.varies, isOpen ? 'open' : min === max ? 'no' : 'bounded']);
      whole.open = min === 0 ? eitherOf(part.open, before, before.start) : part.open;
      if (isStart) whole.open = { ...whole.open, start: undefined };
      if (before.tooMuch && min > 0)
        throw new Refusal(
          'has too many open-ended repeats that match the same characters (the search for its beginning is one, unless it starts with ^)',
        );
      // A place, not a character.
      if (!part.characters) continue;
      if (min !== max && !isOpen && ++this.#optional > MAX_OPTIONAL) throw new Refusal('has too many optional parts');
      if (max > 1 && (part.varies === 'open' || (part.varies === 'bounded' && max > SHORT_COUNT)))
        throw new Refusal('repeats something that itself varies, which can take for ever on some lines');
      if (isOpen) whole.open = withRepeat(whole.open, part.characters);
      else if (min > 0 && part.varies === 'no') whole.open = withFixed(whole.open, part.characters);
    }
    return whole;
  }

  #group(open: Open): Part & { open: Open } {
    if (this.#sees(/\(\?<?[=!]/y)) throw new Refusal('looks ahead or behind, which is not supported');
    this.#take(/\((?:\?(?:<[^>]*>|[a-z-]*:))?/y);
    const inner = this.#alternatives(open);
    this.#take(')');
    return inner;
  }

  #atom(): Part {
    if (this.#take(/\\[bB]|[\^$]/y)) return { characters: undefined, varies: 'no' };
    if (this.#sees(/\\(?:[1-9]|k<)/y)) throw new Refusal('refers back to a group, which is not supported');
    const text = this.#take(/\[(?:\\.|[^\]\\])*\]|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[a-zA-Z]|.)|./sy);
    return { characters: charactersOf(text ?? ''), varies: 'no' };
  }

  #quantifier(): { min: number; max: number } {
    const text = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (!text) return { min: 1, max: 1 };
    if (text[0] === '*') return { min: 0, max: Infinity };
    if (text[0] === '+') return { min: 1, max: Infinity };
    if (text[0] === '?') return { min: 0, max: 1 };
    const [min = 0, max] = text.match(/\d+/g)?.map(Number) ?? [];
    const bounds = { min, max: max ?? (text.includes(',') ? Infinity : min) };
    if (bounds.min > MAX_COUNT || (bounds.max > MAX_COUNT && bounds.max !== Infinity))
      throw new Refusal(`repeats something more than ${MAX_COUNT} times`);
    return bounds;
  }

  #sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#source);
  }

  /** Moves past what stands here, if it does. */
  #take(expected: string | RegExp): string | undefined {
    if (typeof expected === 'string') {
      if (!this.#source.startsWith(expected, this.#at)) return undefined;
      this.#at += expected.length;
      return expected;
    }
    expected.lastIndex = this.#at;
    const text = expected.exec(this.#source)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }
}

function withRepeat({ repeats, start, tooMuch }: Open, characters: Characters): Open {
  const sharing = repeats.filter((other) => overlap(other, characters)).length;
  // A repeat that cannot get past what stands behind the beginning does not reach the next place where a match could begin.
  const sharesStart = start?.every((fixed) => overlap(fixed, characters)) ? 1 : 0;
  return {
    repeats: [...repeats, characters],
    start,
    tooMuch: tooMuch || sharing + sharesStart >= MAX_OVERLAPPING_REPEATS,
  };
}

/** A repeat cannot get past a character that it does not match: its end is settled. */
function withFixed({ repeats, start, tooMuch }: Open, characters: Characters): Open {
  return {
    repeats: repeats.filter((other) => overlap(other, characters)),
    start: start && [...start, characters],
    tooMuch,
  };
}

/** The worse of two ways to get to the same place; `start` is what was certain before they parted. */
function eitherOf(one: Open, other: Open, start: Open['start']): Open {
  const [longer, shorter] =
    one.repeats.length >= other.repeats.length ? [one.repeats, other.repeats] : [other.repeats, one.repeats];
  return {
    repeats: [...longer, ...shorter.filter((repeat) => !longer.includes(repeat))],
    start: one.start || other.start ? start : undefined,
    tooMuch: one.tooMuch || other.tooMuch,
  };
}

function overlap(one: Characters, other: Characters): boolean {
  return (one & other) !== 0n;
}

function mostOf(all: Part['varies'][]): Part['varies'] {
  if (all.includes('open')) return 'open';
  return all.includes('bounded') ? 'bounded' : 'no';
}

function charactersOf(atom: string): Characters {
  if (atom === '.') return ANY;
  // A lone bracket or brace is a literal outside of Unicode mode, and is written as one.
  const matcher = new RegExp(`^(?:${/^[\]{}]$/.test(atom) ? `\\${atom}` : atom})$`, 'i');
  return SAMPLES.reduce((found, sample, index) => (matcher.test(sample) ? found | (1n << BigInt(index)) : found), 0n);
}
