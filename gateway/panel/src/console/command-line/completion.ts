import { COMMANDS, type Command } from './commands.ts';

/**
 * Completes the last word of a command line: the first word as a command, the others as player names. If several match, completes
 * their common beginning. Returns `undefined` if there is nothing to add.
 */
export function complete(typed: string, players: readonly string[]): string | undefined {
  const start = typed.lastIndexOf(' ') + 1;
  const slash = start === 0 && typed.startsWith('/') ? 1 : 0;
  const word = typed.slice(start + slash).toLowerCase();
  if (word === '') return undefined;
  const matches = (start === 0 ? COMMANDS : players).filter((name) => name.toLowerCase().startsWith(word));
  const [first, ...others] = matches;
  if (first === undefined) return undefined;
  const common = others.reduce(commonBeginning, first);
  if (common.length <= word.length && others.length > 0) return undefined;
  return `${typed.slice(0, start + slash)}${common}${others.length === 0 ? ' ' : ''}`;
}

/** Returns the commands that begin with the word that is typed, unless it is one already or more words follow. */
export function commandsFor(typed: string): readonly Command[] {
  const word = withoutSlash(typed).toLowerCase();
  const matches = word === '' ? [] : COMMANDS.filter((command) => command.startsWith(word));
  return matches.length === 1 && matches[0] === word ? [] : matches;
}

/** Returns a chosen command, ready for what follows it. */
export function chosenCommand(typed: string, command: Command): string {
  return `${typed.startsWith('/') ? '/' : ''}${command} `;
}

function withoutSlash(typed: string): string {
  return typed.startsWith('/') ? typed.slice(1) : typed;
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length++;
  return a.slice(0, length);
}
