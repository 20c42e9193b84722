/** Commands that are whole as one word. */
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
 * What may be written down of a line that was typed into a console: the command's name, never what follows it, which can be a password
 * (`/login hunter2`) or a private message. A single word that is no known command may be a password by itself: nothing of it.
 */
export function commandWord(line: string): string | undefined {
  const [, word, rest] = /^\s*\/?([a-z][a-z0-9_:.-]{0,31})(?:\s+(\S)|\s*$)/i.exec(line) ?? [];
  if (word === undefined) return undefined;
  return rest !== undefined || ONE_WORD.has(word.toLowerCase()) ? word : undefined;
}
