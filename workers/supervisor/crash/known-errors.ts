import type { CrashSetting } from '../../../shared/domain/instance/runtime.ts';

/** An error in a server's output that explains its end. */
export interface KnownError {
  pattern: RegExp;
  /** True if hundreds of lines may follow before the end. */
  reportFollows?: true;
  /** The setting of the instance to change. */
  setting?: CrashSetting;
  reason: (match: RegExpExecArray, limits: { memoryMb: number }) => string;
}

/** Errors of Java and of Minecraft servers, with advice that fits only these. */
export const JAVA_ERRORS: readonly KnownError[] = [
  {
    pattern: /java\.lang\.OutOfMemoryError/,
    reportFollows: true,
    setting: 'memoryMb',
    reason: (_, { memoryMb }) =>
      `Java ran out of memory: ${memoryMb} MiB are not enough. Give the instance more memory.`,
  },
  {
    pattern: /Could not reserve enough space|Invalid maximum heap size|Cannot allocate memory/,
    setting: 'memoryMb',
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
    pattern: /You need to agree to the EULA/,
    reason: () => 'The EULA has not been accepted. Read it, then set acceptEula to true for the instance.',
  },
  {
    pattern: /session\.lock|already locked \(possibly by other Minecraft instance/,
    reason: () => 'The world is in use by another server process. Stop that process first.',
  },
  {
    // Vanilla's two lines and the title of its report, then the watchdog of Paper and Spigot.
    pattern:
      /A single server tick took [\d.]+ seconds|Considering it to be crashed|Description: Watching Server|^The server has stopped responding!/,
    reportFollows: true,
    reason: () =>
      "The server's own watchdog stopped it because one tick took too long (max-tick-time). Find out what overloads the server, or raise that limit.",
  },
];

/** Errors of any program. */
export const COMMON_ERRORS: readonly KnownError[] = [
  {
    pattern: /Cannot assign requested address|EADDRNOTAVAIL/,
    reason: () =>
      "The address that the server should listen on is not an address of this machine. Correct it in the launch command or in the server's settings.",
  },
  {
    pattern:
      /FAILED TO BIND TO PORT|Address (?:is )?already in use|EADDRINUSE|WSAEADDRINUSE|java\.net\.BindException|Only one usage of each socket address|\bport\b.{0,40} (?:might |may )?(?:is |be )?already (?:be )?(?:in use|bound|taken)/i,
    reason: () =>
      'A port that the server needs is in use by another program. Stop that program, or give the server another port.',
  },
  {
    pattern: /No space left on device|ENOSPC|not enough space on the disk/i,
    reason: () => 'The disk is full. Free some space, then start the server again.',
  },
  {
    pattern: /error while loading shared libraries: ([^\s:]+)/,
    reason: ([, library]) => `The program needs the library ${library}, which is not installed on this machine.`,
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
