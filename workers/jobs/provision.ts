import path from 'node:path';
import type { Provisioned } from '../../shared/contract/jobs.ts';
import type { JavaVersion } from '../../shared/domain/java-version.ts';
import { softwareOf } from '../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/home.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { KeyedLock } from './keyed-lock.ts';
import type { Peers } from './peers.ts';
import { adoptium } from './runtimes/adoptium.ts';
import { installJava } from './runtimes/install-java.ts';
import { javaFor } from './runtimes/java-for.ts';
import { findServer, mojang } from './software/mojang.ts';
import { installJar } from './software/server-jar.ts';
import type { Steps } from './steps.ts';

export interface ProvisionParts {
  home: Home;
  peers: Peers;
}

/** Puts in place what an instance needs to start. Does nothing, and asks nobody, where all is there. */
export type Provisioner = (config: InstanceConfig, signal: AbortSignal) => Steps<Provisioned>;

export function createProvisioner({ home, peers }: ProvisionParts): Provisioner {
  const downloads = new KeyedLock();

  async function* installSoftware(
    config: InstanceConfig,
    vendors: Vendors,
    signal: AbortSignal,
  ): Steps<number | undefined> {
    const definition = softwareOf(config.software);
    if (!definition?.needsInstall || definition.launch.type !== 'jar') return undefined;
    const vendor = mojang(vendors);
    const server = await findServer(
      { vendor, version: config.version, cache: path.join(home.cache, 'mojang') },
      signal,
    );
    // From now on it is this version, until the owner wants another.
    if (server.version !== config.version)
      await peers.daemon.updateInstance({ id: config.id, change: { version: server.version } });
    const { url, sha1, size, java } = server;
    const title = `Minecraft ${server.version}`;
    const jar = { vendor, url, sha1, size, title, directory: config.directory, name: definition.launch.jar };
    yield* installJar(jar, { cache: path.join(home.cache, 'downloads'), downloads }, signal);
    return java;
  }

  return async function* provision(config, signal) {
    const { vendors } = await peers.daemon.settings();
    const needed = yield* installSoftware(config, vendors, signal);
    const javaVersion = config.javaVersion ?? (needed === undefined ? undefined : provided(needed));
    if (javaVersion === undefined) return {};
    const java = yield* installJava(
      javaVersion,
      { vendor: adoptium(vendors), runtimes: home.runtimes, downloads },
      signal,
    );
    return { java, javaVersion };
  };
}

type Vendors = Record<string, string>;

function provided(needed: number): JavaVersion {
  const version = javaFor(needed);
  if (version) return version;
  throw new GamekeeperError(
    'launch_failed',
    `This version needs Java ${needed}, which Gamekeeper does not provide yet.`,
    {
      resolution: 'Set an older version.',
    },
  );
}
