import path from 'node:path';
import type { InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import type { JavaVersion } from '../../../shared/domain/java/java-version.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { javaFor } from './java-for.ts';

/** Returns the instances that are set to each major version, running or not. */
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
 * Returns true if something runs on a build, or may soon: a server, a crashed server about to be restarted, or an installation that was
 * just given its Java. Supervisors of earlier versions do not report their Java; their servers count as using any build.
 */
export function isBuildInUse(folder: string, instances: readonly InstanceRecord[]): boolean {
  return instances.some(({ runtime: { phase, javaProgram } }) => {
    if (phase === 'provisioning') return true;
    return javaProgram === undefined ? isLive(phase) : javaProgram?.startsWith(folder + path.sep) === true;
  });
}
