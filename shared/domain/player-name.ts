/**
 * Names that may be put into a console command. Anything else is refused, so that a name can never smuggle in a second command,
 * a selector (`@a`) or a JSON text. Geyser/Floodgate prefixes (`.`, `*`, `-`) are allowed; inner spaces only where the
 * software is Bedrock (api.md, Player names).
 */
const JAVA_NAME = /^[.*-]?[A-Za-z0-9_]{1,16}$/;
const BEDROCK_NAME = /^[.*-]?[A-Za-z0-9_](?:[A-Za-z0-9_ ]{0,14}[A-Za-z0-9_])?$/;

/** True when `name` may stand in a command of a server of this edition. */
export function isPlayerName(name: string, edition: 'java' | 'bedrock'): boolean {
  return (edition === 'bedrock' ? BEDROCK_NAME : JAVA_NAME).test(name);
}
