import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { CreateInstance, InstanceConfig } from '../../shared/schema/instance.ts';
import { DEFAULT_PANEL_PORT, DEFAULT_REMOTE_PORT, type Settings } from '../../shared/schema/settings.ts';
import { canBind } from './free-port.ts';
import type { Registry } from './registry.ts';
import { resolveInstance } from './resolve-instance.ts';
import { type FolderSettings, ownFolder, readFolderSettings, readOtherPorts } from './server-folder.ts';

const PASSWORD_BYTES = 18;

export interface Creation {
  home: Home;
  settings: Settings;
  registry: Registry;
  /** Of instances that will exist. */
  plannedPorts: readonly number[];
}

/** Makes an instance of a request: all of it, folder included, or nothing. Throws what resolveInstance throws. */
export async function createInstance(request: CreateInstance, creation: Creation): Promise<InstanceConfig> {
  const config = await resolve(request, creation, readFolderSettings);
  const made = config.managed ? await mkdir(config.directory, { recursive: true, mode: 0o700 }) : undefined;
  try {
    creation.registry.save(config);
  } catch (error) {
    if (made !== undefined) await rmdir(config.directory);
    throw error;
  }
  return config;
}

/**
 * The same, with a folder that was filled beside those of the instances and becomes the new one's: it is moved, or stays where it is
 * where this fails. Throws `instance_exists` also where there is a folder already.
 */
export async function createFromFolder(
  request: CreateInstance,
  folder: string,
  creation: Creation,
): Promise<InstanceConfig> {
  const { home, registry } = creation;
  if (path.dirname(folder) !== home.instances) throw new Error(`${folder} is not where folders are moved from`);
  const config = await resolve(request, creation, () => readFolderSettings(folder));
  if (existsSync(config.directory))
    throw new GamekeeperError('instance_exists', `There is a folder ${config.directory} already.`, {
      resolution: 'Choose another id, or import the folder.',
    });
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

/** What `createInstance` would make of a request for a new folder. Nothing is made, and nothing kept for it. */
export function planInstance(request: CreateInstance, creation: Creation): Promise<InstanceConfig> {
  return resolve(request, creation, async () => ({ rconEnabled: false }));
}

async function resolve(
  request: CreateInstance,
  { home, settings, registry, plannedPorts }: Creation,
  read: (directory: string) => Promise<FolderSettings>,
): Promise<InstanceConfig> {
  const others = registry.all().map((record) => record.config);
  const inFiles = await Promise.all(others.map(({ directory }) => readOtherPorts(directory)));
  return resolveInstance(request, {
    others,
    // The defaults, too: the next run may use them.
    reservedPorts: [
      ...[settings.remoteControl.panelPort, settings.remoteControl.port],
      ...[DEFAULT_PANEL_PORT, DEFAULT_REMOTE_PORT],
      ...inFiles.flat(),
      ...plannedPorts,
    ],
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
