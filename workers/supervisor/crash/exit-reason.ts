import { isSpeech, parseLogLine } from '../game/log-prefix.ts';
import { wrongJavaAdvice } from './wrong-java.ts';

/** What is known about a process that has ended. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: string | null;
  /** Whether it had got as far as letting players join. */
  wasReady: boolean;
  /** The last console lines of this run, oldest first, plain and redacted; `REASON_LINES` are enough. */
  lastLines: readonly string[];
  /** Whether the kernel killed processes of this machine for want of memory just before this one ended. */
  outOfMemoryKills: boolean;
  memoryMb: number;
}

/** A crash report with all threads, or the stack traces of many mods, are no longer. */
export const REASON_LINES = 2_000;
/** What many a server survives counts only so near its end. */
const NEAR_LINES = 50;
/** What a shell ends with whose program was killed by SIGKILL: 128 and the signal's number. */
const KILLED_EXIT_CODE = 137;

/**
 * One sentence that says why a server ended, for people. What the server itself printed is the best witness, and its last words
 * count most; then the signal; then the exit code.
 */
export function exitReason(end: ProcessEnd): string {
  const signal = end.exitCode === KILLED_EXIT_CODE ? 'SIGKILL' : end.signal;
  if (signal === 'SIGKILL' && end.outOfMemoryKills)
    return `Killed by the operating system because the machine ran out of memory (the instance may use ${end.memoryMb} MiB). Give it less memory, or free some.`;
  for (const [age, line] of end.lastLines.slice(-REASON_LINES).toReversed().entries()) {
    const { message } = parseLogLine(line);
    if (isSpeech(message)) continue;
    const advice = age < NEAR_LINES ? wrongJavaAdvice(message) : undefined;
    if (advice !== undefined) return advice;
    for (const { pattern, reason, reportFollows } of WITNESSES) {
      const match = age < NEAR_LINES || reportFollows ? pattern.exec(message) : null;
      if (match) return reason(match, end);
    }
  }
  if (signal !== null) return `${SIGNALS[signal] ?? 'Ended by a signal'} (${signal}).`;
  return `${end.wasReady ? 'Ended by itself' : 'Ended before it was ready'} with exit code ${end.exitCode ?? 'unknown'}.`;
}

interface Witness {
  pattern: RegExp;
  /** Hundreds of lines may be printed between these words and the end. */
  reportFollows?: true;
  reason: (match: RegExpExecArray, end: ProcessEnd) => string;
}

const WITNESSES: readonly Witness[] = [
  {
    pattern: /java\.lang\.OutOfMemoryError/,
    reportFollows: true,
    reason: (_, { memoryMb }) =>
      `Java ran out of memory: ${memoryMb} MiB are not enough. Give the instance more memory.`,
  },
  {
    pattern: /Could not reserve enough space|Invalid maximum heap size|Cannot allocate memory/,
    reason: (_, { memoryMb }) =>
      `The machine does not have the ${memoryMb} MiB that the instance asks for. Give it less memory.`,
  },
  {
    pattern: /Unable to access jarfile (.+?)\s*$/,
    reason: ([, jar]) => `The file ${jar} is missing or cannot be read.`,
  },
  {
    pattern: /Could not find or load main class (\S+)/,
    reason: ([, name]) =>
      `The server's program is not whole: its main class ${name} is missing. Install the server anew, or correct the launch command.`,
  },
  {
    pattern: /no main manifest attribute, in (.+)$/,
    reason: ([, jar]) => `${jar} is not a server that can be started. Install the server anew.`,
  },
  {
    pattern: /Invalid or corrupt jarfile (.+)$/,
    reason: ([, jar]) => `${jar} is damaged. Install the server anew.`,
  },
  {
    pattern: /Unrecognized (?:VM )?option:? '?([^'\s]+)/,
    reason: ([, option]) => `Java does not know the option ${option}. Correct it, or choose another javaVersion.`,
  },
  {
    reportFollows: true,
    pattern: /Mod ID: '([^']+)', Requested by: '([^']+)', Expected range: '([^']*)', Actual version: '([^']*)'/,
    reason: ([, needed, mod, range, actual]) =>
      `The mod "${mod}" needs "${needed}" ${range}, and ${actual === '[MISSING]' ? 'it is not there' : `there is ${actual}`}. Install or update it, or remove the mod.`,
  },
  {
    reportFollows: true,
    pattern: /- Mod '([^']+)' \(\S+\) \S+ requires (.+)$/,
    reason: ([, mod, needed]) => `The mod "${mod}" requires ${needed} Install or update that, or remove the mod.`,
  },
  {
    pattern: /World files may be corrupted|level\.dat.*(?:corrupt|Not in GZIP format)|Not in GZIP format/,
    reason: () => "The world's level.dat is damaged. Restore a backup, or put level.dat_old in its place.",
  },
  {
    pattern: /Cannot assign requested address/,
    reason: () => 'The server is to listen on an address that this machine does not have. Leave server-ip empty.',
  },
  {
    pattern: /FAILED TO BIND TO PORT|Address already in use|EADDRINUSE|java\.net\.BindException/,
    reason: () =>
      'A port that the server wants is in use by another program. End that, or give the instance another port.',
  },
  {
    pattern: /You need to agree to the EULA/,
    reason: () => 'The EULA has not been accepted. Read it, then set acceptEula to true for the instance.',
  },
  {
    pattern: /session\.lock|already locked \(possibly by other Minecraft instance/,
    reason: () => 'The world is in use by another server process. End that one first.',
  },
  {
    pattern: /No space left on device|ENOSPC|not enough space on the disk/i,
    reason: () => 'The disk is full. Free some space, then start the server again.',
  },
  {
    // Vanilla's two lines and the title of its report; Paper's and Spigot's own watchdog.
    pattern:
      /A single server tick took [\d.]+ seconds|Considering it to be crashed|Description: Watching Server|^The server has stopped responding!/,
    reportFollows: true,
    reason: () =>
      "The server's own watchdog ended it, since one tick took too long (max-tick-time). Look for what overloads it, or allow more.",
  },
  {
    pattern: /^execvp\(3\) failed\.?:? *(.*)$/,
    reason: ([, why]) => `The program could not be executed: ${why || 'unknown reason'}.`,
  },
  {
    // A Java server is started by a shell (game-process.ts).
    pattern: /^sh: .*exec: (.+)$/,
    reason: ([, why]) => `The program could not be executed: ${why}.`,
  },
  {
    pattern: /^chdir\(2\) failed\.?:? *(.*)$/,
    reason: ([, why]) => `The server's folder could not be entered: ${why || 'unknown reason'}.`,
  },
];

const SIGNALS: Readonly<Record<string, string>> = {
  SIGKILL: 'Killed from outside',
  SIGTERM: 'Asked to end from outside',
  SIGINT: 'Interrupted from outside',
  SIGHUP: 'Lost its terminal',
  SIGSEGV: 'Crashed: it touched memory that is not its own',
  SIGBUS: 'Crashed: it touched memory that does not exist',
  SIGABRT: 'Gave itself up',
  SIGILL: 'Crashed: it ran an instruction that this processor does not know',
  SIGFPE: 'Crashed in an arithmetic error',
};
