import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A JVM starts in a tenth of a second; on a machine that is swapping it may take this long. */
const PROBE_TIMEOUT_MS = 20_000;

/** The major version that a Java program says it is, or `undefined` when it does not run. */
export async function probeJava(program: string): Promise<number | undefined> {
  try {
    const { stderr, stdout } = await run(program, ['-version'], { timeout: PROBE_TIMEOUT_MS });
    return majorVersion(stderr + stdout);
  } catch {
    // Missing, of another architecture, half unpacked: not usable in any case.
    return undefined;
  }
}

/** `1.8.0_392` is 8, `17.0.15` is 17, `25` is 25 (JEP 223). */
export function majorVersion(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match ? Number(match[1]) : undefined;
}
