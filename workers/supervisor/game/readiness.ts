import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isSpeech, type LogLine } from './log-prefix.ts';

/** More than any ready or saved line; what a pattern has to look through is bounded, whatever the server prints. */
const LONGEST_MATCHED_LINE = 1_000;

/**
 * Whether a line says that the game is ready: the pattern is looked for behind the log prefix and in the whole line, since an owner may
 * have either in mind, and never in what a player says.
 */
export function isReadyLine({ text, message }: LogLine, pattern: RegExp): boolean {
  if (isSpeech(message)) return false;
  return pattern.test(message.slice(0, LONGEST_MATCHED_LINE)) || pattern.test(text.slice(0, LONGEST_MATCHED_LINE));
}

export interface SavedLineContext {
  pattern: RegExp;
  /** Whether this server's lines have prefixes: one without is then the rest of a longer message, which may be a player's. */
  prefixExpected: boolean;
}

/** Whether a line confirms that the world is on disk. The pattern must fit from the message's first character on. */
export function isSavedLine({ message, prefixed }: LogLine, { pattern, prefixExpected }: SavedLineContext): boolean {
  if (prefixExpected && !prefixed) return false;
  return pattern.exec(message.slice(0, LONGEST_MATCHED_LINE))?.index === 0;
}

/**
 * Whether an RCON answer confirms it. Vanilla joins the messages of one command without anything between them
 * (field-notes 3.1), so the pattern's anchors cannot hold; no player can write into an RCON answer.
 */
export function isSavedAnswer(answer: string, patternSource: string): boolean {
  const body = patternSource.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  return new RegExp(body).test(answer.slice(-LONGEST_MATCHED_LINE));
}

/** Compiles a pattern of an instance. Throws `invalid_request` that names the setting. */
export function compilePattern(source: string, setting: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new GamekeeperError('invalid_request', `${setting} is not a valid regular expression: ${source}`, { cause });
  }
}
