import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { CreateInstance, InstanceConfig } from '../../shared/schema/instance.ts';
import { DEFAULT_PANEL_PORT, DEFAULT_REMOTE_PORT, type Settings } from '../../shared/schema/settings.ts';
import { canBind } from './free-port.ts';
import { hostLimits } from './host-limits.ts';
import type { Registry } from './registry.ts';
import { resolveInstance } from './resolve-instance.ts';
import { type FolderSettings, otherPorts, ownFolder, readFolderSettings, readPortProperties } from './server-folder.ts';

const PASSWORD_BYTES = 18;

export interface Creation {
  home: Home;
  settings: Settings;
  registry: Registry;
  /** Ports of instances that do not exist yet. */
  plannedPorts: readonly number[];
}

/** Creates an instance with its folder, or neither. Throws like resolveInstance. */
export async function createInstance(request: CreateInstance, creation: Creation): Promise<InstanceConfig> {
  const config = await resolve(request, creation, readFolderSettings);
  const created = config.managed ? await mkdir(config.directory, { recursive: true, mode: 0o700 }) : undefined;
  try {
    creation.registry.save(config);
  } catch (error) {
    if (created !== undefined) await rmdir(config.directory);
    throw error;
  }
  return config;
}

/**
 * Creates an instance from a folder that was prepared in the folder of all instances. The folder is moved, or stays if this fails. Throws like
 * resolveInstance, and `instance_exists` if the instance's folder exists already.
 */
export async function createFromFolder(
  request: CreateInstance,
  folder: string,
  creation: Creation,
): Promise<InstanceConfig> {
  const { home, registry } = creation;
  if (path.dirname(folder) !== home.instances) throw new Error(`${folder} is not in the folder of the instances`);
  const config = await resolve(request, creation, () => readFolderSettings(folder));
  if (existsSync(config.directory))
    throw new GamekeeperError('instance_exists', `The folder ${config.directory} already exists.`, {
      resolution: 'Choose another id, or import the folder.',
    });
  // An archive may have said otherwise.
  await chmod(folder, 0o700);
  await rename(folder, config.directory);
  try {
    registry.save(config);
  } catch (error) {
    await rename(config.directory, folder);
    throw error;
  }
  await syncDirectory(home.instances);
  return config;
}

/** Returns what `createInstance` would create in a new folder, and creates nothing. */
export function planInstance(request: CreateInstance, creation: Creation): Promise<InstanceConfig> {
  return resolve(request, creation, async () => ({ rconEnabled: false }));
}

/** Returns the ports that are never chosen automatically: Gamekeeper's own, those in the files of servers, and planned ones. */
export async function reservedPorts({
  settings: { remoteControl },
  registry,
  plannedPorts,
}: Omit<Creation, 'home'>): Promise<number[]> {
  const files = await Promise.all(registry.all().map(({ config }) => readPortProperties(config.directory)));
  return [
    ...[remoteControl.panelPort, remoteControl.port],
    // Its next run may use them.
    ...[DEFAULT_PANEL_PORT, DEFAULT_REMOTE_PORT],
    ...files.flatMap(otherPorts).map(({ port }) => port),
    ...plannedPorts,
  ];
}

async function resolve(
  request: CreateInstance,
  { home, settings, registry, plannedPorts }: Creation,
  read: (directory: string) => Promise<FolderSettings>,
): Promise<InstanceConfig> {
  const others = registry.all().map((record) => record.config);
  return resolveInstance(request, {
    others,
    reservedPorts: await reservedPorts({ settings, registry, plannedPorts }),
    host: hostLimits(settings),
    canBind,
    hasFolder: (id) => existsSync(home.instanceDirectory(id)),
    async folderOf(id) {
      const managed = request.directory === undefined;
      const directory = managed
        ? home.instanceDirectory(id)
        : await ownFolder(request.directory!, { home: home.root, others });
      return { directory, managed, settings: await read(directory) };
    },
    newPassword: () => randomBytes(PASSWORD_BYTES).toString('base64url'),
    now: new Date(),
  });
}
