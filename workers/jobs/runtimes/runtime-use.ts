import path from 'node:path';
import type { InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import type { JavaVersion } from '../../../shared/domain/java-version.ts';
import { isLive } from '../../../shared/domain/phase.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { javaFor } from './java-for.ts';

/** Which instances are for each major version, whether they run or not. */
export async function usersOfJava(
  instances: readonly InstanceRecord[],
  records: Pick<InstalledRecords, 'read'>,
): Promise<Map<JavaVersion, string[]>> {
  const found = new Map<JavaVersion, string[]>();
  for (const { config } of instances) {
    const needed = (await records.read(config.id))?.java;
    const version = config.javaVersion ?? (needed === undefined ? undefined : javaFor(needed));
    if (version !== undefined) found.set(version, [...(found.get(version) ?? []), config.id]);
  }
  return found;
}

/**
 * Whether something runs on a build, or may in a moment: a server, one that crashed and is about to be started again, or an installation
 * that has just been given a Java. Where a supervisor of an earlier version does not say on what its server runs, it may be this one.
 */
export function isBuildInUse(folder: string, instances: readonly InstanceRecord[]): boolean {
  return instances.some(({ runtime: { phase, javaProgram } }) => {
    if (phase === 'provisioning') return true;
    return javaProgram === undefined ? isLive(phase) : javaProgram?.startsWith(folder + path.sep) === true;
  });
}
