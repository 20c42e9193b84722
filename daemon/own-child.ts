import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../shared/node/atomic-file.ts';
import type { Home } from '../shared/node/home.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from '../shared/node/process-identity.ts';

/** How long a killed process may take to be gone, milliseconds. */
const GONE_WITHIN_MS = 2_000;

export type ChildName = 'gateway' | 'jobs';

/** Puts on record which process the gateway, or jobs, is: should the daemon be killed while that one hangs, the next daemon ends it. */
export async function recordChild(home: Home, name: ChildName, pid: number | undefined): Promise<void> {
  const identity = pid === undefined ? undefined : await identifyProcess(pid);
  if (identity) await writeFileAtomically(recordOf(home, name), JSON.stringify(identity));
}

/**
 * Ends a gateway or jobs of a daemon that was killed. They end by themselves when they lose it, unless they hang: then they would keep its
 * ports, and two would write the same backups. To be called by the one who has the home.
 */
export async function endFormerChildren(home: Home): Promise<void> {
  await Promise.all((['gateway', 'jobs'] as const).map((name) => endFormer(recordOf(home, name))));
}

async function endFormer(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined); // none: the daemon before has ended in order
  const former = text === undefined ? undefined : parse(text);
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (former && (await isAlive(former)) && performance.now() < deadline) process.kill(former.pid, 'SIGKILL');
  await rm(file, { force: true });
}

function parse(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startTime } = JSON.parse(text) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime } : undefined;
  } catch {
    return undefined; // not whole: nobody can say which process it was
  }
}

function recordOf(home: Home, name: ChildName): string {
  return path.join(home.run, `${name}.process`);
}
