import type { CrashSetting } from '../../../shared/domain/instance/runtime.ts';
import { isSpeech, parseLogLine } from '../game/log-prefix.ts';
import { COMMON_ERRORS, JAVA_ERRORS } from './known-errors.ts';
import { wrongJavaAdvice } from './wrong-java.ts';

export interface ProcessEnd {
  exitCode: number | null;
  signal: string | null;
  wasReady: boolean;
  /** The last console lines of this run, at most `REASON_LINES`: plain, redacted, oldest first. */
  lastLines: readonly string[];
  /** True if the program is known to run on Java. Its output may show that as well. */
  java: boolean;
  /** True if the kernel killed processes of this machine just before because memory ran out. */
  outOfMemoryKills: boolean;
  memoryMb: number;
}

/** Why a server ended, in a sentence or two. */
export interface ExitReason {
  reason: string;
  /** The setting of the instance that the reason asks to change. */
  setting?: CrashSetting;
}

/** Longer than a crash report with all threads or the stack traces of many mods. */
export const REASON_LINES = 2_000;
/** Errors that a server can survive count only this close to its end. */
const NEAR_LINES = 50;
/** The exit code of a shell whose program was killed by SIGKILL: 128 plus the signal's number. */
const KILLED_EXIT_CODE = 137;

/** Output that only Java writes: for start scripts. */
const JAVA_OUTPUT =
  /\bjava\.[a-z]+\.|\(\w+\.java:\d+\)|\bjarfile\b|no main manifest attribute|main class \S+|\bJava \d/;
/** Signals that other programs send. They explain an end by themselves; the others are how a program itself fails. */
const FROM_OUTSIDE = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/**
 * Explains why a server ended. A signal from outside is the whole reason. Otherwise the server's own output is the best
 * evidence, starting with the last lines: errors with known advice, or else its last error.
 */
export function exitReason(end: ProcessEnd): ExitReason {
  const signal = end.exitCode === KILLED_EXIT_CODE ? 'SIGKILL' : end.signal;
  if (signal === 'SIGKILL' && end.outOfMemoryKills)
    return {
      reason: `Killed by the operating system because the machine ran out of memory (the instance may use ${end.memoryMb} MiB). Give it less memory, or close other programs.`,
      setting: 'memoryMb',
    };
  const bySignal = signal === null ? '' : `${SIGNALS[signal] ?? 'Ended by a signal'} (${signal}).`;
  if (signal !== null && FROM_OUTSIDE.has(signal)) return { reason: bySignal };
  const messages = messagesOf(end.lastLines);
  const advice = knownAdvice(messages, end);
  if (advice) return signal === null ? advice : { ...advice, reason: `${bySignal} ${advice.reason}` };
  const ending = bySignal || exitOf(end);
  const error = lastError(messages);
  return { reason: error === undefined ? ending : `${ending} Its last error: ${error}` };
}

function exitOf({ exitCode, wasReady }: ProcessEnd): string {
  if (exitCode !== null) return `Exited ${wasReady ? '' : 'before it was ready, '}with exit code ${exitCode}.`;
  return `Ended${wasReady ? '' : ' before it was ready'}. The exit code is unknown because the supervisor was replaced while the server ran.`;
}

/** A line after its prefix, and how many lines follow it. */
interface Message {
  age: number;
  text: string;
}

/** Newest first, without chat. */
function messagesOf(lines: readonly string[]): Message[] {
  return lines
    .slice(-REASON_LINES)
    .toReversed()
    .map((line, age) => ({ age, text: parseLogLine(line).message }))
    .filter(({ text }) => !isSpeech(text));
}

function knownAdvice(messages: readonly Message[], { java, memoryMb }: ProcessEnd): ExitReason | undefined {
  const isJava = java || messages.some(({ text }) => JAVA_OUTPUT.test(text));
  const known = isJava ? [...JAVA_ERRORS, ...COMMON_ERRORS] : COMMON_ERRORS;
  for (const { age, text } of messages) {
    const advice = isJava && age < NEAR_LINES ? wrongJavaAdvice(text) : undefined;
    if (advice !== undefined) return { reason: advice, setting: 'javaVersion' };
    for (const { pattern, reason, reportFollows, setting } of known) {
      const match = age < NEAR_LINES || reportFollows ? pattern.exec(text) : null;
      if (match) return { reason: reason(match, { memoryMb }), ...(setting && { setting }) };
    }
  }
  return undefined;
}

const ERROR =
  /(?:error|exception)\b|\b(?:fatal|failed|failure|cannot|can't|could not|couldn't|unable to|abort(?:ed|ing)?|panic|not found|no such|denied|invalid|missing)\b/i;
const STACK_FRAME = /^\s*at /;
const LONGEST_QUOTE = 200;

/** Returns the last line that reports an error, as it was. */
function lastError(messages: readonly Message[]): string | undefined {
  const found = messages.find(({ age, text }) => age < NEAR_LINES && ERROR.test(text) && !STACK_FRAME.test(text));
  const text = found?.text.trim();
  return text !== undefined && text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

const SIGNALS: Readonly<Record<string, string>> = {
  SIGKILL: 'Killed by another program',
  SIGTERM: 'Told to stop by another program',
  SIGINT: 'Interrupted by another program',
  SIGHUP: 'Lost its terminal',
  SIGSEGV: 'Crashed: invalid memory access',
  SIGBUS: 'Crashed: access to memory that does not exist',
  SIGABRT: 'Aborted itself',
  SIGILL: 'Crashed: an instruction that this processor does not support',
  SIGFPE: 'Crashed: arithmetic error',
};
