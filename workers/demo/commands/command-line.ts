/** A command as it was typed, split into words with their positions. */
export class CommandLine {
  readonly input: string;
  readonly #words: readonly { readonly text: string; readonly start: number }[];

  /** `input` is the command, with or without the slash that players type. */
  constructor(input: string) {
    this.input = input.startsWith('/') ? input.slice(1) : input;
    this.#words = [...this.input.matchAll(/[^ ]+/g)].map((match) => ({ text: match[0], start: match.index }));
  }

  /** The word at `index`; 0 is the command's name. */
  optionalWord(index: number): string | undefined {
    return this.#words[index]?.text;
  }

  /** Throws CommandSyntaxError if there are fewer words. */
  word(index: number): string {
    return this.optionalWord(index) ?? this.#fail(UNKNOWN, this.input.length);
  }

  /**
   * Returns the word at `index`, which vanilla parses as a string: in quotes, or without characters that need them. Throws
   * CommandSyntaxError if there are fewer words or quotes are missing.
   */
  string(index: number): string {
    const word = this.word(index);
    if (/^"[^"]*"$/.test(word)) return word.slice(1, -1);
    return /^[\w.+-]*$/.test(word) ? word : this.refuse(index, TRAILING);
  }

  /** Everything from the word at `index`, as it was typed. */
  optionalRest(index: number): string | undefined {
    const word = this.#words[index];
    return word && this.input.slice(word.start);
  }

  /** Throws CommandSyntaxError if there are fewer words. */
  rest(index: number): string {
    return this.optionalRest(index) ?? this.#fail(UNKNOWN, this.input.length);
  }

  /** Returns the word at `index` as a whole number. Throws CommandSyntaxError if it is not one. */
  wholeNumber(index: number): number {
    const word = this.word(index);
    return /^\d{1,9}$/.test(word) ? Number(word) : this.refuse(index, 'Expected integer');
  }

  /** Throws CommandSyntaxError if there are more than `count` words. */
  expectEnd(count: number): void {
    if (this.#words.length > count) this.refuse(count, 'Incorrect argument for command');
  }

  /** Throws CommandSyntaxError: the word at `index` is wrong. */
  refuse(index: number, message: string): never {
    return this.#fail(message, this.#words[index]?.start ?? this.input.length);
  }

  /** Throws CommandSyntaxError: there is no such command. */
  refuseName(): never {
    return this.#fail(UNKNOWN, 0);
  }

  #fail(message: string, cursor: number): never {
    throw new CommandSyntaxError(message, markError(this.input, cursor));
  }
}

/** A command cannot be parsed. `context` shows where, like vanilla's second line. */
export class CommandSyntaxError extends Error {
  override name = 'CommandSyntaxError';
  readonly context: string;

  constructor(message: string, context: string) {
    super(message);
    this.context = context;
  }
}

const TRAILING = 'Expected whitespace to end one argument, but found trailing data';
const UNKNOWN = 'Unknown or incomplete command, see below for error';

/** Vanilla shows ten characters before the error, all after it, and an arrow. */
function markError(input: string, cursor: number): string {
  const before = input.slice(Math.max(0, cursor - 10), cursor);
  return `${cursor > 10 ? '...' : ''}${before}${input.slice(cursor)}<--[HERE]`;
}
