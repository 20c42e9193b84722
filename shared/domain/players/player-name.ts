/**
 * Names that may be put into a console command. Anything else is refused, so that a name cannot be a second command, a selector (`@a`) or
 * JSON. Prefixes of Geyser/Floodgate (`.`, `*`, `-`) are allowed; spaces inside only for Bedrock software.
 */
const JAVA_NAME = /^[.*-]?[A-Za-z0-9_]{1,16}$/;
const BEDROCK_NAME = /^[.*-]?[A-Za-z0-9_](?:[A-Za-z0-9_ ]{0,14}[A-Za-z0-9_])?$/;

export function isPlayerName(name: string, edition: 'java' | 'bedrock'): boolean {
  return (edition === 'bedrock' ? BEDROCK_NAME : JAVA_NAME).test(name);
}
