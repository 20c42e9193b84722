import { canSee, type Holder } from '../../shared/domain/access/rights.ts';
import type { JavaVersion } from '../../shared/domain/java/java-version.ts';
import { SOFTWARE } from '../../shared/domain/software/catalogue.ts';
import type { CustomSoftware } from '../../shared/domain/software/custom-software.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import type { CheckedKind, KindFile } from '../../shared/schema/kind-file.ts';
import type { Runtime, RuntimeUpdate } from '../../shared/schema/runtime.ts';
import type { SoftwareVersions } from '../../shared/schema/software-versions.ts';
import { requireLocalAdministrator } from '../auth/access.ts';
import type { Identity } from '../auth/identity.ts';
import type { Daemon, Jobs } from '../upstream/clients.ts';

/** Longer than all attempts at a vendor with the pauses between them. Milliseconds. */
const VERSIONS_TIMEOUT_MS = 90_000;
/** Removing waits for an installation that is under way. */
const REMOVAL_TIMEOUT_MS = 120_000;

/** Downloads about 50 MB, perhaps over a slow line. Milliseconds. */
const UPDATE_TIMEOUT_MS = 15 * 60_000;

/** `own`: custom software. */
export type KnownDefinition = SoftwareDefinition & { own: boolean };

export interface SoftwareService {
  kinds(): Promise<KnownDefinition[]>;
  problems(): Promise<CustomSoftware['problems']>;
  /** Throws `invalid_request`. */
  check(file: KindFile): Promise<CheckedKind>;
  /** Throws `insufficient_scope` for anyone but a local administrator, `invalid_request` and `software_exists`. */
  save(file: KindFile, by: Identity): Promise<KnownDefinition>;
  /** Throws `software_not_found`, `invalid_request` and `software_in_use`. */
  remove(kind: string): Promise<void>;
  /** Throws `software_not_found` and `vendor_unavailable`. */
  versions(kind: string): Promise<SoftwareVersions>;
  /** `usedBy` lists only instances that `by` sees. */
  runtimes(by: Holder): Promise<Runtime[]>;
  /** Throws `runtime_not_found` and `vendor_unavailable`. */
  updateRuntime(javaVersion: JavaVersion): Promise<RuntimeUpdate>;
  /** Throws `runtime_not_found` and `runtime_in_use`. */
  removeRuntimes(javaVersion?: JavaVersion): Promise<{ removed: JavaVersion[] }>;
}

export function createSoftwareService({ daemon, jobs }: { daemon: Daemon; jobs: Jobs }): SoftwareService {
  return {
    async kinds() {
      const { kinds } = await daemon.call.customSoftware();
      return [...SOFTWARE.map((kind) => ({ ...kind, own: false })), ...kinds.map((kind) => ({ ...kind, own: true }))];
    },
    problems: async () => (await daemon.call.customSoftware()).problems,
    check: ({ text }) => daemon.call.checkKind(text),
    async save({ text }, by) {
      requireLocalAdministrator(by, ['kinds of software']);
      return { ...(await daemon.call.saveKind(text)), own: true };
    },
    remove: (kind) => daemon.call.removeKind(kind),
    versions: (kind) => jobs.call.softwareVersions(kind, { timeoutMs: VERSIONS_TIMEOUT_MS }),
    async runtimes(by) {
      const all = await jobs.call.runtimes();
      return all.map(({ usedBy, ...runtime }) => ({ ...runtime, usedBy: usedBy.filter((id) => canSee(by, id)) }));
    },
    updateRuntime: (javaVersion) => jobs.call.updateRuntime(javaVersion, { timeoutMs: UPDATE_TIMEOUT_MS }),
    async removeRuntimes(javaVersion) {
      return { removed: await jobs.call.removeRuntimes({ javaVersion }, { timeoutMs: REMOVAL_TIMEOUT_MS }) };
    },
  };
}
