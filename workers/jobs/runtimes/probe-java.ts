import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A JVM starts in 0.1 s; on a swapping machine it may take this long. */
const PROBE_TIMEOUT_MS = 20_000;

/** Temporary failures: no memory, processes or descriptors left (execve(2), fork(2)). */
const PASSING = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'EINTR', 'EBUSY', 'ETXTBSY']);
/** Output of a JVM that exits with 1 because the machine has no memory or threads left. */
const NO_ROOM = /insufficient memory|could not reserve enough space|(?:unable to create native|pthread_create failed)/i;

/**
 * Returns the major version that a Java program reports. `unusable`: it is missing, broken or for another architecture. `busy`: it took
 * longer than `timeoutMs`, or the machine had no resources left, which says nothing about the program.
 */
export async function probeJava(program: string, timeoutMs = PROBE_TIMEOUT_MS): Promise<number | 'unusable' | 'busy'> {
  try {
    const { stderr, stdout } = await run(program, ['-version'], { timeout: timeoutMs, killSignal: 'SIGKILL' });
    return majorVersion(stderr + stdout) ?? 'unusable';
  } catch (error) {
    return isPassing(error) && (await isThere(program)) ? 'busy' : 'unusable';
  }
}

/** `1.8.0_392` is 8, `17.0.15` is 17, `25` is 25 (JEP 223). */
export function majorVersion(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match ? Number(match[1]) : undefined;
}

/** Killed: by the timeout, or by the kernel when memory ran out. */
function isPassing(error: unknown): boolean {
  const { code, signal, stdout, stderr } = error as {
    code?: unknown;
    signal?: unknown;
    stdout?: string;
    stderr?: string;
  };
  if (signal === 'SIGKILL' || signal === 'SIGTERM') return true;
  return typeof code === 'string' ? PASSING.has(code) : NO_ROOM.test(`${stdout}${stderr}`);
}

function isThere(program: string): Promise<boolean> {
  return access(program).then(
    () => true,
    () => false, // it is missing, which execFile did not report as such
  );
}
