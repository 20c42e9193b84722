/** Reported if a game did not answer the command of an action. */
export const NO_ANSWER = 'The server accepted the command, but did not report whether it worked.';

/** Some servers quote names. */
const QUOTE = `["'«»“”]?`;

/** Returns a pattern for a game's answers about a player. `{name}` in its source stands for the player's name. */
export function answerPattern(source: string, name: string): RegExp {
  const literal = name.replace(/[^\w\s]/g, '\\$&'); // browsers of 2024 have no `RegExp.escape`
  return new RegExp(
    source.replaceAll('{name}', () => QUOTE + literal + QUOTE),
    'i',
  );
}
