import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isSpeech, type LogLine } from './log-prefix.ts';

/** Longer than any ready or saved line. Limits the work of a pattern, whatever the server prints. */
const LONGEST_MATCHED_LINE = 1_000;

/**
 * True if a line reports that the game is ready. The pattern may match after the log prefix or in the whole line, since owners write either,
 * but never in a player's chat.
 */
export function isReadyLine({ text, message }: LogLine, pattern: RegExp): boolean {
  if (isSpeech(message)) return false;
  return pattern.test(message.slice(0, LONGEST_MATCHED_LINE)) || pattern.test(text.slice(0, LONGEST_MATCHED_LINE));
}

export interface SavedLineContext {
  pattern: RegExp;
  /** True if this server's lines have prefixes: a line without one continues a longer message, which may be a player's. */
  prefixExpected: boolean;
}

/** True if a line confirms that the world is on disk. The pattern must match from the first character of the message. */
export function isSavedLine({ message, prefixed }: LogLine, { pattern, prefixExpected }: SavedLineContext): boolean {
  if (prefixExpected && !prefixed) return false;
  return pattern.exec(message.slice(0, LONGEST_MATCHED_LINE))?.index === 0;
}

/**
 * True if an RCON answer confirms it. Vanilla before 1.13 joins the messages of one command without separators, so the pattern's anchors are
 * dropped; no player can write into an RCON answer.
 */
export function isSavedAnswer(answer: string, patternSource: string): boolean {
  const body = patternSource.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  return new RegExp(body).test(answer.slice(-LONGEST_MATCHED_LINE));
}

/** Compiles a pattern from an instance's settings. Throws `invalid_request`, naming the setting. */
export function compilePattern(source: string, setting: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new GamekeeperError('invalid_request', `${setting} is not a valid regular expression: ${source}`, { cause });
  }
}
