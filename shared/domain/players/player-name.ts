/**
 * Names that may be put into a console command. Anything else is refused, so that a name cannot be a second command, a selector (`@a`) or
 * JSON. Prefixes of Geyser/Floodgate (`.`, `*`, `-`) are allowed; spaces inside only for Bedrock software.
 */
const JAVA_NAME = /^[.*-]?[A-Za-z0-9_]{1,16}$/;
const BEDROCK_NAME = /^[.*-]?[A-Za-z0-9_](?:[A-Za-z0-9_ ]{0,14}[A-Za-z0-9_])?$/;

export function isPlayerName(name: string, edition: 'java' | 'bedrock'): boolean {
  return (edition === 'bedrock' ? BEDROCK_NAME : JAVA_NAME).test(name);
}

/** Names of players of any game as they are shown: one line of printable characters. */
const SHOWN_NAME = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,62}[^\p{C}\p{Z}])?$/u;

/** Returns whether a name that a server reports may be shown. Players of other games than Minecraft have any name. */
export function isShownName(name: string, kind: { edition: 'java' | 'bedrock'; players?: unknown }): boolean {
  return kind.players === undefined ? isPlayerName(name, kind.edition) : SHOWN_NAME.test(name);
}

/** Ends a quoted word or a command, or begins an escape, in the console of some game. */
const ENDS_COMMAND = /["'`\\;$]/;

/**
 * Returns whether a name may be put into a kind's command, such as `kick "{name}"`. In other games than Minecraft any name may that stays one word there:
 * with blanks, `@` or `-` only within quotes.
 */
export function isNameForCommand(
  name: string,
  kind: { edition: 'java' | 'bedrock'; players?: unknown },
  command: string,
): boolean {
  if (isPlayerName(name, kind.edition)) return true;
  if (kind.players === undefined || !isShownName(name, kind) || ENDS_COMMAND.test(name)) return false;
  return command.includes('"{name}"') || !/[\s@-]/.test(name);
}
