import path from 'node:path';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { JavaVersion } from '../../../shared/domain/java-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ModSettler } from '../mods/settle-mods.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import { installJava } from '../runtimes/install-java.ts';
import { javaBuilds } from '../runtimes/java-builds.ts';
import { javaFor } from '../runtimes/java-for.ts';
import { installSoftware } from '../software/install-software.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { knownSoftware } from '../software/known-software.ts';
import { vendorOf } from '../vendors/vendor.ts';
import { machineMemory } from './machine-memory.ts';

export interface ProvisionParts {
  home: Home;
  peers: Peers;
  pool: Pool;
  records: InstalledRecords;
  scratch: Scratch;
  /** Of downloads and runtimes: two that need the same make one. */
  downloads: KeyedMutex;
  settleMods: ModSettler;
}

/** Puts in place what an instance needs to start. Does nothing, and asks nobody, where all is there. */
export type Provisioner = (config: InstanceConfig, run: Pick<JobRun, 'signal' | 'phase'>) => Steps<Provisioned>;

export function createProvisioner({ home, peers, ...parts }: ProvisionParts): Provisioner {
  return async function* provision(config, run) {
    const { vendors } = await peers.daemon.settings();
    const definition = await knownSoftware(config.software, peers.daemon);
    let javaVersion: JavaVersion | undefined;

    async function* provideJava(needed: number | undefined): Steps<string | undefined> {
      javaVersion = config.javaVersion ?? (needed === undefined ? undefined : provided(needed));
      if (javaVersion === undefined) return undefined;
      const javaParts = {
        vendor: vendorOf('adoptium', vendors),
        runtimes: home.runtimes,
        cache: path.join(home.cache, 'downloads'),
        scratch: parts.scratch,
        builds: javaBuilds(home.runtimes),
        downloads: parts.downloads,
        run,
      };
      return yield* installJava(javaVersion, javaParts);
    }

    if (!definition) throw new GamekeeperError('software_not_found', `There is no software "${config.software}".`);
    const pin = async (version: string) => {
      await peers.daemon.updateInstance({ id: config.id, change: { version } });
    };
    const start = yield* installSoftware(config, definition, {
      ...parts,
      cache: home.cache,
      installerRecord: home.installerRecord(config.id),
      provideJava,
      pin,
      vendors,
      run,
    });
    yield* parts.settleMods(config, run);
    if (definition.launch.type === 'java') yield* warnOfMemory(config.memoryMb);
    return { ...start, ...(javaVersion !== undefined && { javaVersion }) };
  };
}

const MIB = 1024 ** 2;

async function* warnOfMemory(wantedMb: number): Steps<void> {
  const present = Math.floor(machineMemory() / MIB);
  if (wantedMb > present)
    yield {
      progress: `The server may use ${wantedMb} MB of memory, but there are only ${present} MB here: it will be slow or be ended. Set a lower memoryMb.`,
    };
}

function provided(needed: number): JavaVersion {
  const version = javaFor(needed);
  if (version) return version;
  throw new GamekeeperError(
    'launch_failed',
    `This version needs Java ${needed}, which Gamekeeper does not provide yet.`,
    { resolution: 'Set an older version.' },
  );
}
