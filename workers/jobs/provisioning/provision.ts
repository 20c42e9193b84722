import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ModSettler } from '../mods/settle-mods.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import type { Peers } from '../resources/peers.ts';
import { installJava } from '../runtimes/install-java.ts';
import type { JavaBuilds } from '../runtimes/java-builds.ts';
import { javaFor } from '../runtimes/java-for.ts';
import { installSoftware } from '../software/install-software.ts';
import type { SoftwareOptions } from '../software/installation.ts';
import { knownSoftware } from '../software/known-software.ts';
import { vendorOf } from '../vendors/vendor.ts';
import { machineMemory } from './machine-memory.ts';

export interface ProvisionerOptions {
  software: SoftwareOptions;
  builds: JavaBuilds;
  settleMods: ModSettler;
  peers: Peers;
}

/** Installs everything that is missing for a start of an instance. If nothing is missing, no vendor is asked. */
export type Provisioner = (config: InstanceConfig, run: Pick<JobRun, 'signal' | 'phase'>) => Steps<Provisioned>;

export function createProvisioner({ software, builds, settleMods, peers }: ProvisionerOptions): Provisioner {
  return async function* provision(config, run) {
    const { vendors } = await peers.daemon.settings();
    const definition = await knownSoftware(config.software, peers.daemon);
    let javaVersion: JavaVersion | undefined;

    async function* provideJava(needed: number | undefined): Steps<string | undefined> {
      javaVersion = config.javaVersion ?? (needed === undefined ? undefined : provided(needed));
      if (javaVersion === undefined) return undefined;
      const { downloads, scratch } = software;
      const vendor = vendorOf('adoptium', vendors);
      return yield* installJava(javaVersion, { builds, downloads, scratch, vendor, run });
    }

    if (!definition) throw new GamekeeperError('software_not_found', `There is no software "${config.software}".`);
    let { version: installed } = config;
    const pin = async (version: string) => {
      installed = version;
      await peers.daemon.updateInstance({ id: config.id, change: { version } });
    };
    const start = yield* installSoftware({ config, definition, vendors, run, provideJava, pin }, software);
    yield* settleMods(config, run);
    if (definition.launch.type === 'java') yield* warnOfMemory(config.memoryMb);
    const settings = { version: installed, ...(config.javaVersion && { javaVersion: config.javaVersion }) };
    return { ...start, ...(javaVersion !== undefined && { javaVersion }), settings };
  };
}

const MIB = 1024 ** 2;

async function* warnOfMemory(wantedMb: number): Steps<void> {
  const present = Math.floor(machineMemory() / MIB);
  if (wantedMb > present)
    yield {
      progress: `The server may use ${wantedMb} MB of memory, but this machine has only ${present} MB. It will be slow, or the system will end it. Set a lower memoryMb.`,
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
