import stripAnsi from 'strip-ansi';
import { isPlayerName } from '../../../shared/domain/players/player-name.ts';

/** In UTF-16 units. Enough for 1,000 players with ranks and colours; a hostile server may send megabytes. */
const LONGEST_ANSWER = 128 * 1024;

/**
 * Returns the player names in an answer to `list`: `There are 2 of a max of 20 players online: Anna, Ben` (vanilla), `There are 2/20 players
 * online:` and the names (older versions), or one group per line (plugins). Returns `undefined` if the answer is not a list.
 */
export function namesInListAnswer(answer: string, edition: 'java' | 'bedrock'): string[] | undefined {
  const text = stripAnsi(answer.slice(0, LONGEST_ANSWER)).replace(/\u00a7./g, '');
  const start = text.indexOf(':');
  if (start < 0 || !/\d/.test(text.slice(0, start))) return undefined;
  return text
    .slice(start + 1)
    .split(/[\n,]/)
    .map((part) => part.slice(part.lastIndexOf(':') + 1))
    .map((part) => part.replace(/^\s*(?:\[[^\]]*\]\s*)+/, '').trim())
    .filter((name) => isPlayerName(name, edition));
}
