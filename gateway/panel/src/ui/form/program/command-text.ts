/**
 * Splits a command as a person writes it: white space separates arguments unless it is in quotes, single or double. There are no escapes, so
 * paths of Windows keep their backslashes. Returns `undefined` if a quote is not closed.
 */
export function toCommand(text: string): string[] | undefined {
  const command: string[] = [];
  let argument: string | undefined;
  let quote: string | undefined;
  for (const character of text) {
    if (character === quote) quote = undefined;
    else if (quote !== undefined) argument += character;
    else if (character === '"' || character === "'") {
      quote = character;
      argument ??= '';
    } else if (!/\s/.test(character)) argument = (argument ?? '') + character;
    else if (argument !== undefined) {
      command.push(argument);
      argument = undefined;
    }
  }
  if (argument !== undefined) command.push(argument);
  return quote === undefined ? command : undefined;
}

/** Returns text that `toCommand` splits into this command. */
export function toCommandText(command: readonly string[]): string {
  return command.map(quoted).join(' ');
}

function quoted(argument: string): string {
  if (/^[^\s"']+$/.test(argument)) return argument;
  // Neither kind of quote can contain itself.
  return argument
    .split(/("+)/)
    .filter((part, index) => part !== '' || (index === 0 && argument === ''))
    .map((part) => (part.startsWith('"') ? `'${part}'` : `"${part}"`))
    .join('');
}
