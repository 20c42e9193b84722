import type { JavaVersion } from '../../shared/domain/java-version.ts';
import type { Runtime } from '../../shared/schema/runtime.ts';
import type { SoftwareVersions } from '../../shared/schema/software-versions.ts';
import type { Jobs } from '../upstream/jobs.ts';

/** A vendor gets its attempts, and the pauses between them. Milliseconds. */
const VERSIONS_TIMEOUT_MS = 90_000;
/** Removing waits for an installation that is under way. Milliseconds. */
const REMOVAL_TIMEOUT_MS = 120_000;

/** What can be installed, and the Java that is. */
export interface SoftwareService {
  /** Throws `software_not_found` and `vendor_unavailable`. */
  versions(kind: string): Promise<SoftwareVersions>;
  runtimes(): Promise<Runtime[]>;
  /** Throws `runtime_not_found` and `runtime_in_use`. */
  removeRuntimes(javaVersion?: JavaVersion): Promise<{ removed: JavaVersion[] }>;
}

export function softwareService({ jobs }: { jobs: Jobs }): SoftwareService {
  return {
    versions: (kind) => jobs.call.softwareVersions(kind, { timeoutMs: VERSIONS_TIMEOUT_MS }),
    runtimes: () => jobs.call.runtimes(),
    async removeRuntimes(javaVersion) {
      return { removed: await jobs.call.removeRuntimes({ javaVersion }, { timeoutMs: REMOVAL_TIMEOUT_MS }) };
    },
  };
}
