import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { endRecorded } from '../../../shared/node/processes/recorded-process.ts';
import type { SystemUser } from '../../../shared/node/processes/system-user.ts';
import type { Steps } from '../queue/steps.ts';
import { runFailed, runProgram } from './run-program.ts';

/** Forge's installer downloads a hundred libraries and patches the game. Milliseconds. */
const INSTALLER_TIMEOUT_MS = 30 * 60_000;
/** More lines are dropped: this is progress, not a record. */
const MAX_LINES = 2_000;
/** The environment variables that an installer gets; nothing of the machine's own Java. */
const KEPT = ['HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'SystemRoot', 'SystemDrive', 'APPDATA'];

export interface InstallerRun {
  /** Absolute path of the Java program. */
  java: string;
  jar: string;
  args: string[];
  directory: string;
  title: string;
  /** The user that the server runs as, if that is another than ours. Owns the folder. */
  user?: SystemUser | undefined;
  /** File that records the installer's process while it may run, so that it can be found after a kill of this process. */
  record: string;
}

/** Runs a vendor's Java installer in a server's folder and yields its output. Throws `installation_failed` with its last lines. */
export async function* runInstaller(
  { java, jar, args, directory, title, user, record }: InstallerRun,
  signal: AbortSignal,
): Steps<void> {
  const what = `The installer of ${title}`;
  const program = {
    ...{ what, program: java, args: ['-Djava.awt.headless=true', '-jar', jar, ...args], directory, user, record },
    env: installerEnvironment({ ...(user && { HOME: directory }), PATH: path.dirname(java) }),
    timeoutMs: INSTALLER_TIMEOUT_MS,
  };
  const { code, tail } = yield* asProgress(title, runProgram(program, signal));
  if (code !== 0) throw endedWith(what, { code, tail });
}

/** Turns the lines of a program into progress. */
export async function* asProgress<End>(title: string, lines: AsyncGenerator<string, End>): Steps<End> {
  let count = 0;
  try {
    for (;;) {
      const next = await lines.next();
      if (next.done) return next.value;
      if (++count <= MAX_LINES) yield { progress: `${title}: ${next.value}` };
    }
  } finally {
    await lines.return(undefined as End);
  }
}

export function endedWith(what: string, { code, tail }: { code: number | string; tail: string }) {
  const how = typeof code === 'string' ? code : `exit code ${code}`;
  return runFailed(what, `it ended with ${how}. Its last output: ${tail}`);
}

/** Returns what a program of an installation gets of our environment, with `own`. */
export function installerEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(kept), ...own };
}

/** Ends the programs of installations that a killed jobs process has left running in servers' folders. Must run before any job. Failures are logged. */
export async function endLeftoverInstallers(home: Home, log: Logger): Promise<void> {
  const { dir, ext } = path.parse(home.installerRecord('any'));
  const names = await readdir(dir).catch(() => []); // nothing was ever started
  await Promise.all(
    names
      .filter((name) => path.extname(name) === ext)
      .map((name) =>
        endRecorded(path.join(dir, name), { group: true }).catch((error: unknown) =>
          log.error({ err: error, record: name }, 'could not end an installer that was left running'),
        ),
      ),
  );
}
