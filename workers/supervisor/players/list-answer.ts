import stripAnsi from 'strip-ansi';
import { isPlayerName } from '../../../shared/domain/player-name.ts';

/**
 * The names in an answer to `list`: vanilla's `There are 2 of a max of 20 players online: Anna, Ben`, the older
 * `There are 2/20 players online:` with the names behind it, or plug-ins' lists with one group to a line. What is no name is left out.
 * `undefined` for an answer that is no list.
 */
export function namesInListAnswer(answer: string, edition: 'java' | 'bedrock'): string[] | undefined {
  const text = stripAnsi(answer).replace(/\u00a7./g, '');
  const start = text.indexOf(':');
  if (start < 0 || !/\d/.test(text.slice(0, start))) return undefined;
  return text
    .slice(start + 1)
    .split(/[\n,]/)
    .map((part) => part.slice(part.lastIndexOf(':') + 1))
    .map((part) => part.replace(/^\s*(?:\[[^\]]*\]\s*)+/, '').trim())
    .filter((name) => isPlayerName(name, edition));
}
