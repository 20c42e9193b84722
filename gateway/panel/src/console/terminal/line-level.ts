export type Level = 'info' | 'warning' | 'error';

/** The levels in the log prefixes of all supported servers. Those of java.util.logging that are missing are too rare to tell apart. */
const LEVELS: Record<string, Level> = {
  WARN: 'warning',
  WARNING: 'warning',
  ERROR: 'error',
  SEVERE: 'error',
  FATAL: 'error',
};
const LEVEL = /\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|SEVERE|FATAL)\b/;
/** Names of Java's exceptions and errors, such as `NullPointerException` and `java.lang.OutOfMemoryError`. */
const EXCEPTION = /Exception\b|[a-z]Error\b/;
/** Lines of a stack trace below its first one (`Throwable.printStackTrace` of Java). */
const TRACE = /^(?:\s+at \S|\s*Caused by: |\s*Suppressed: |\s+\.\.\. \d+ )/;

/**
 * Returns the level of a line without colours. The first level that it names decides, which is the one of its prefix: an error that a player
 * writes into the chat is none. Without a level, stack traces and exceptions are errors.
 */
export function levelOf(plain: string): Level {
  const named = LEVEL.exec(plain);
  if (named) return LEVELS[named[0]] ?? 'info';
  return TRACE.test(plain) || EXCEPTION.test(plain) ? 'error' : 'info';
}

/** Frames of Java, and how many of them it leaves out. */
const FRAME = /^\s+(?:at \S|\.\.\. \d+ )/;

/** Whether a line without colours is a frame of a stack trace. Some servers print a prefix before each. */
export function isFrame(plain: string): boolean {
  const prefixEnd = plain.indexOf(']: ');
  return FRAME.test(plain) || (prefixEnd !== -1 && FRAME.test(plain.slice(prefixEnd + 3)));
}
