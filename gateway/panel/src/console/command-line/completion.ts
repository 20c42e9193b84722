import { argumentsAfter, BEFORE_PLAYER, type KnownWord } from './arguments.ts';
import { COMMANDS, type Command } from './commands.ts';

/** Of a server with many players. */
const MOST_SUGGESTIONS = 50;

/** What may be typed next. */
export interface Suggestion {
  word: string;
  /** What describes it. Absent: the name of a player. */
  about?: Command | KnownWord['about'];
}

/** What the words for a server depend on. */
export interface ServerWords {
  /** Names, in the order in which they are suggested. */
  players: readonly string[];
  /** Of the game. */
  version: string;
}

/**
 * Completes the last word of a command line: the first word as a command, the others as what may follow it or, after unknown words, as
 * player names. If several match, completes their common beginning. Returns `undefined` if there is nothing to add.
 */
export function complete(typed: string, server: ServerWords): string | undefined {
  const { before, beginning, word } = parse(typed);
  if (word === '') return undefined;
  const known = wordsAfter(beginning, server).map((each) => each.word);
  const candidates = known.length > 0 ? known : server.players;
  const [first, ...others] = candidates.filter((each) => each.toLowerCase().startsWith(word));
  if (first === undefined) return undefined;
  const common = others.reduce(commonBeginning, first);
  if (common.length <= word.length && others.length > 0) return undefined;
  return `${before}${common}${others.length === 0 ? ' ' : ''}`;
}

/** Returns what the last word of a command line may become: none if it is complete, or nothing is typed yet. */
export function suggestionsFor(typed: string, server: ServerWords): readonly Suggestion[] {
  const { beginning, word } = parse(typed);
  if (beginning === '' && word === '') return [];
  const matches = wordsAfter(beginning, server).filter((each) => each.word.toLowerCase().startsWith(word));
  const isComplete = matches.length === 1 && matches[0]?.word.toLowerCase() === word;
  return isComplete ? [] : matches.slice(0, MOST_SUGGESTIONS);
}

/** Returns the command line with a chosen word as its last one, ready for what follows. */
export function withChosen(typed: string, { word }: Suggestion): string {
  return `${parse(typed).before}${word} `;
}

interface ParsedLine {
  /** Everything before the last word. */
  before: string;
  /** The same in lower case, without the slash that players type. Empty: the last word is the first one. */
  beginning: string;
  /** The last word in lower case. */
  word: string;
}

function parse(typed: string): ParsedLine {
  const slash = typed.startsWith('/') ? 1 : 0;
  const start = Math.max(slash, typed.lastIndexOf(' ') + 1);
  return {
    before: typed.slice(0, start),
    beginning: typed.slice(slash, start).toLowerCase(),
    word: typed.slice(start).toLowerCase(),
  };
}

/** Returns the words that may follow the beginning of a command. */
function wordsAfter(beginning: string, { players, version }: ServerWords): readonly Suggestion[] {
  if (beginning === '') return COMMANDS.map((command) => ({ word: command, about: command }));
  if (BEFORE_PLAYER.test(beginning)) return players.map((word) => ({ word }));
  return argumentsAfter(beginning, version);
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length++;
  return a.slice(0, length);
}
