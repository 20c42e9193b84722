import path from 'node:path';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import type { DownloadCache } from '../vendors/download-cache.ts';
import type { VendorAddresses } from '../vendors/vendor.ts';
import type { InstalledRecords } from './installed.ts';
import type { MojangContext } from './mojang.ts';

/** Options shared by all installations. */
export interface SoftwareOptions {
  home: Home;
  downloads: DownloadCache;
  records: InstalledRecords;
  pool: Pool;
  scratch: Scratch;
}

/** The installation for one instance. */
export interface Installation {
  config: InstanceConfig;
  definition: SoftwareDefinition;
  vendors: VendorAddresses;
  run: Pick<JobRun, 'signal' | 'phase'>;
  /** Installs the configured or the needed major version of Java, and returns its program. */
  provideJava(needed: number | undefined): Steps<string | undefined>;
  /** Stores the version that was chosen for an instance without one. */
  pin(version: string): Promise<void>;
}

/** Returns the context for questions to Mojang's version manifest. */
export function createMojangContext({ vendors, run }: Installation, { home }: SoftwareOptions): MojangContext {
  return { vendors, cache: path.join(home.cache, 'mojang'), signal: run.signal };
}
