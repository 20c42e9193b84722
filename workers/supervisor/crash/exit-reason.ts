import { isSpeech, parseLogLine } from '../game/log-prefix.ts';
import { wrongJavaAdvice } from './wrong-java.ts';

export interface ProcessEnd {
  exitCode: number | null;
  signal: string | null;
  wasReady: boolean;
  /** The last console lines of this run, at most `REASON_LINES`: plain, redacted, oldest first. */
  lastLines: readonly string[];
  /** True if the kernel killed processes of this machine just before because memory ran out. */
  outOfMemoryKills: boolean;
  memoryMb: number;
}

/** Longer than a crash report with all threads or the stack traces of many mods. */
export const REASON_LINES = 2_000;
/** Errors that a server can survive count only this close to its end. */
const NEAR_LINES = 50;
/** The exit code of a shell whose program was killed by SIGKILL: 128 plus the signal's number. */
const KILLED_EXIT_CODE = 137;

/**
 * Explains in a sentence or two why a server ended. The server's own output is the best evidence, starting with the last lines; then the
 * signal; then the exit code.
 */
export function exitReason(end: ProcessEnd): string {
  const signal = end.exitCode === KILLED_EXIT_CODE ? 'SIGKILL' : end.signal;
  if (signal === 'SIGKILL' && end.outOfMemoryKills)
    return `Killed by the operating system because the machine ran out of memory (the instance may use ${end.memoryMb} MiB). Give it less memory, or close other programs.`;
  for (const [age, line] of end.lastLines.slice(-REASON_LINES).toReversed().entries()) {
    const { message } = parseLogLine(line);
    if (isSpeech(message)) continue;
    const advice = age < NEAR_LINES ? wrongJavaAdvice(message) : undefined;
    if (advice !== undefined) return advice;
    for (const { pattern, reason, reportFollows } of KNOWN_ERRORS) {
      const match = age < NEAR_LINES || reportFollows ? pattern.exec(message) : null;
      if (match) return reason(match, end);
    }
  }
  if (signal !== null) return `${SIGNALS[signal] ?? 'Ended by a signal'} (${signal}).`;
  return `Exited ${end.wasReady ? '' : 'before it was ready, '}with exit code ${end.exitCode ?? 'unknown'}.`;
}

interface KnownError {
  pattern: RegExp;
  /** True if hundreds of lines may follow before the end. */
  reportFollows?: true;
  reason: (match: RegExpExecArray, end: ProcessEnd) => string;
}

const KNOWN_ERRORS: readonly KnownError[] = [
  {
    pattern: /java\.lang\.OutOfMemoryError/,
    reportFollows: true,
    reason: (_, { memoryMb }) =>
      `Java ran out of memory: ${memoryMb} MiB are not enough. Give the instance more memory.`,
  },
  {
    pattern: /Could not reserve enough space|Invalid maximum heap size|Cannot allocate memory/,
    reason: (_, { memoryMb }) =>
      `The machine does not have the ${memoryMb} MiB that this server is set to use. Give it less memory.`,
  },
  {
    pattern: /Unable to access jarfile (.+?)\s*$/,
    reason: ([, jar]) => `The file ${jar} is missing or cannot be read.`,
  },
  {
    pattern: /Could not find or load main class (\S+)/,
    reason: ([, name]) =>
      `The server program is incomplete: its main class ${name} is missing. Reinstall the server, or correct the launch command.`,
  },
  {
    pattern: /no main manifest attribute, in (.+)$/,
    reason: ([, jar]) => `${jar} is not a server program. Reinstall the server.`,
  },
  {
    pattern: /Invalid or corrupt jarfile (.+)$/,
    reason: ([, jar]) => `${jar} is damaged. Reinstall the server.`,
  },
  {
    pattern: /Unrecognized (?:VM )?option:? '?([^'\s]+)/,
    reason: ([, option]) => `Java does not know the option ${option}. Correct it, or choose another javaVersion.`,
  },
  {
    reportFollows: true,
    pattern: /Mod ID: '([^']+)', Requested by: '([^']+)', Expected range: '([^']*)', Actual version: '([^']*)'/,
    reason: ([, needed, mod, range, actual]) =>
      `The mod "${mod}" needs "${needed}" ${range}, but ${actual === '[MISSING]' ? 'it is not installed' : `${actual} is installed`}. Install or update it, or remove the mod.`,
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
    reason: () => 'The address in server-ip is not an address of this machine. Leave server-ip empty.',
  },
  {
    pattern: /FAILED TO BIND TO PORT|Address already in use|EADDRINUSE|java\.net\.BindException/,
    reason: () =>
      'A port that the server needs is in use by another program. Stop that program, or give the instance another port.',
  },
  {
    pattern: /You need to agree to the EULA/,
    reason: () => 'The EULA has not been accepted. Read it, then set acceptEula to true for the instance.',
  },
  {
    pattern: /session\.lock|already locked \(possibly by other Minecraft instance/,
    reason: () => 'The world is in use by another server process. Stop that process first.',
  },
  {
    pattern: /No space left on device|ENOSPC|not enough space on the disk/i,
    reason: () => 'The disk is full. Free some space, then start the server again.',
  },
  {
    // Vanilla's two lines and the title of its report, then the watchdog of Paper and Spigot.
    pattern:
      /A single server tick took [\d.]+ seconds|Considering it to be crashed|Description: Watching Server|^The server has stopped responding!/,
    reportFollows: true,
    reason: () =>
      "The server's own watchdog stopped it because one tick took too long (max-tick-time). Find out what overloads the server, or raise that limit.",
  },
  {
    pattern: /^execvp\(3\) failed\.?:? *(.*)$/,
    reason: ([, why]) => `The program could not be executed: ${why || 'unknown reason'}.`,
  },
  {
    // A Java server is started by a shell (lifecycle/start-steps.ts).
    pattern: /^sh: .*exec: (.+)$/,
    reason: ([, why]) => `The program could not be executed: ${why}.`,
  },
  {
    pattern: /^chdir\(2\) failed\.?:? *(.*)$/,
    reason: ([, why]) => `The server's folder could not be entered: ${why || 'unknown reason'}.`,
  },
];

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
