import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { versionSourceOf } from '../../../shared/domain/software/version-source.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readValidJson } from '../../../shared/node/files/json-record.ts';
import { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import { softwareVersions } from '../../../shared/schema/software-versions.ts';
import type { VendorAddresses } from '../vendors/vendor.ts';
import { createSource } from './sources/create-source.ts';

/** How long a list is reused. Milliseconds. */
const FRESH_MS = 10 * 60_000;

export interface VersionListsOptions {
  cache: string;
  software: (kind: string) => Promise<SoftwareDefinition | undefined>;
  vendors: () => Promise<VendorAddresses>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Returns the versions that vendors list, remembered on disk. If a vendor cannot be reached, the last list is returned as stale. */
export function createVersionLists({
  cache,
  software,
  vendors,
  now,
}: VersionListsOptions): JobsService['softwareVersions'] {
  const folder = path.join(cache, 'versions');
  const asking = new KeyedMutex();
  const stored = softwareVersions.pick({ fetchedAt: true, versions: true });

  return async (kind, signal) => {
    const definition = await software(kind);
    const source = definition && versionSourceOf(definition);
    if (!source) throw new GamekeeperError('software_not_found', `No vendor lists versions of the software "${kind}".`);
    const release = await asking.take(kind, signal);
    try {
      const old = await readValidJson(path.join(folder, `${kind}.json`), stored);
      const ageMs = old ? now() - Date.parse(old.fetchedAt) : Number.POSITIVE_INFINITY;
      const ageSeconds = Math.max(0, Math.round(ageMs / 1000));
      // Versions in a custom definition cost nothing to read, and may have changed.
      if (old && ageMs < FRESH_MS && source.type !== 'fixed') return { kind, ...old, ageSeconds, stale: false };
      try {
        const context = { vendors: await vendors(), cache: path.join(cache, 'mojang'), signal };
        const versions = await createSource(source, context).list();
        const fresh = { fetchedAt: new Date(now()).toISOString(), versions };
        await mkdir(folder, { recursive: true });
        await writeFileAtomically(path.join(folder, `${kind}.json`), JSON.stringify(fresh));
        return { kind, ...fresh, ageSeconds: 0, stale: false };
      } catch (error) {
        const isVendors = isGamekeeperError(error, 'vendor_unavailable');
        if (!old || !isVendors) throw error;
        return { kind, ...old, ageSeconds, stale: true };
      }
    } finally {
      release();
    }
  };
}
