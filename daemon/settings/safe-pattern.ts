/**
 * Checks owners' regular expressions, which run on a game server's output. Players can influence that output, and JavaScript's engine
 * backtracks, so a careless pattern could block a supervisor for hours on one line (CWE-1333). The check is stricter than necessary, but
 * accepts the patterns that people write to find a log line. docs/decisions/0009-own-check-of-patterns.md compares it with libraries.
 */
import {
  type Characters,
  charactersOf,
  eitherOf,
  MOST_WAYS,
  Refusal,
  requireFew,
  SEARCH,
  type State,
  withCounts,
  withFixed,
  withRepeat,
  withRun,
} from './pattern-work.ts';

/** A repeat with a higher limit than this, such as `{2,}` or `{0,100}`, is open-ended. */
const SHORT_COUNT = 8;
/** As in RE2. */
const MAX_COUNT = 1_000;
/** Keeps the time for the check itself to a fraction of a second. */
const MAX_LENGTH = 10_000;
const MAX_DEPTH = 100;

/**
 * Returns what is wrong with a pattern, as the end of a sentence that starts with its name, or `undefined`. `flags` are the flags it will
 * be used with. `shortLines`: the pattern searches at most 512 characters of a line, and rarely, so the search for the start of the match
 * does not count; every `.*a.*b` passes.
 */
export function patternProblem(
  source: string,
  { flags = '', shortLines = false }: { flags?: string; shortLines?: boolean } = {},
): string | undefined {
  if (source.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  try {
    new RegExp(source, flags);
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
  try {
    new Analysis(source, flags).run({
      repeats: shortLines ? [] : [SEARCH],
      fixed: undefined,
      degree: 0,
      ways: 1,
      run: 1,
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

interface Part {
  /** `0n`: it matches a position, not a character. */
  characters: Characters;
  /** It contains an open-ended repeat. */
  isOpen: boolean;
  after: State;
}

/** Walks the pattern once. */
class Analysis {
  readonly #source: string;
  readonly #unicode: 'u' | '';
  readonly #characters = new Map<string, Characters>();
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#unicode = flags.includes('u') ? 'u' : '';
  }

  run(state: State): void {
    this.#alternatives(state);
  }

  #alternatives(before: State): Part {
    const branches = [this.#sequence(before)];
    while (this.#take(/\|/y)) branches.push(this.#sequence(before));
    return {
      characters: branches.reduce((all, { characters }) => all | characters, 0n),
      isOpen: branches.some(({ isOpen }) => isOpen),
      after: branches.map(({ after }) => after).reduce((one, other) => eitherOf(one, other, before)),
    };
  }

  #sequence(before: State): Part {
    const whole = { characters: 0n, isOpen: false, after: before };
    while (this.#at < this.#source.length && !this.#sees(/[|)]/y)) {
      const term = this.#term(whole.after);
      whole.characters |= term.characters;
      whole.isOpen ||= term.isOpen;
      whole.after = term.after;
    }
    return whole;
  }

  /** An atom or a group, with its quantifier. */
  #term(before: State): Part {
    const isGroup = this.#sees(/\(/y);
    const part = isGroup ? this.#group({ ...before, last: undefined }) : this.#atom(before);
    const { characters, isOpen } = part;
    const { min, max } = this.#quantifier();
    if (min > 0) requireFew(before);
    if (isGroup && min === 1 && max === 1) return part;
    if (characters === 0n) return { ...part, after: min > 0 ? part.after : before };

    const ways = part.after.ways / before.ways;
    const isRepeat = max > SHORT_COUNT && min !== max;
    if (max > 1 && (isOpen || (isRepeat ? ways > 1 : ways ** max >= MOST_WAYS)))
      throw new Refusal('repeats something that itself varies, which can take for ever on some lines');
    let after = min > 0 ? part.after : eitherOf(part.after, before, before);
    after = { ...after, ways: before.ways * (isRepeat ? 1 : ways ** max) };
    if (min > 0 && !isGroup) after = withFixed(after, characters);
    after = withRun(after, min * (isGroup ? part.after.run : 1));
    after = isRepeat ? withRepeat(after, characters) : withCounts(after, characters, max - min + 1);
    return { characters, isOpen: isOpen || isRepeat, after };
  }

  #group(before: State): Part {
    if (this.#sees(/\(\?<?[=!]/y)) throw new Refusal('looks ahead or behind, which is not supported');
    this.#take(/\((?:\?(?:<[^>]*>|[a-z-]*:))?/y);
    if (++this.#depth > MAX_DEPTH) throw new Refusal('nests groups too deeply');
    const inner = this.#alternatives(before);
    this.#depth--;
    this.#take(/\)/y);
    return inner;
  }

  #atom(before: State): Part {
    const place = { characters: 0n, isOpen: false, after: before };
    if (this.#take(/\^/y)) {
      const isFirst = before.fixed === undefined && before.repeats.every((repeat) => repeat === SEARCH);
      return isFirst ? { ...place, after: { ...before, repeats: [] } } : place;
    }
    if (this.#take(/\\[bB]|\$/y)) return place;
    if (this.#sees(/\\(?:[1-9]|k<)/y)) throw new Refusal('refers back to a group, which is not supported');
    const text =
      (this.#unicode && this.#take(/\\(?:u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\})/y)) ||
      this.#take(/\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|0[0-7]{0,2}|.)|./suy);
    return { ...place, characters: this.#charactersOf(text ?? '') };
  }

  #charactersOf(atom: string): Characters {
    const known = this.#characters.get(atom) ?? charactersOf(atom, this.#unicode);
    this.#characters.set(atom, known);
    return known;
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

  /** Moves past the text that `pattern` matches here. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }
}
