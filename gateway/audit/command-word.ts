/** Commands without arguments. */
const ONE_WORD = new Set([
  ...[
    'end',
    'help',
    'list',
    'mspt',
    'plugins',
    'reload',
    'restart',
    'save-all',
    'save-off',
    'save-on',
    'seed',
    'stop',
    'tps',
  ],
  'version',
]);

/**
 * Returns the part of a typed line that may be recorded: the command's name without its arguments, which can be a password (`/login
 * hunter2`) or a private message. A single unknown word may itself be a password, so it returns `undefined`.
 */
export function commandWord(line: string): string | undefined {
  const [, word, rest] = /^\s*\/?([a-z][a-z0-9_:.-]{0,31})(?:\s+(\S)|\s*$)/i.exec(line) ?? [];
  if (word === undefined) return undefined;
  return rest !== undefined || ONE_WORD.has(word.toLowerCase()) ? word : undefined;
}
