import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import type { Home } from '../shared/node/home.ts';
import type { CreateInstance, InstanceConfig } from '../shared/schema/instance.ts';
import { DEFAULT_PANEL_PORT, DEFAULT_REMOTE_PORT, type Settings } from '../shared/schema/settings.ts';
import { canBind } from './free-port.ts';
import type { Registry } from './registry.ts';
import { resolveInstance } from './resolve-instance.ts';
import { ownFolder, readFolderSettings } from './server-folder.ts';

const PASSWORD_BYTES = 18;

export interface Creation {
  home: Home;
  settings: Settings;
  registry: Registry;
}

/** Makes an instance of a request: all of it, folder included, or nothing. Throws what resolveInstance throws. */
export async function createInstance(
  request: CreateInstance,
  { home, settings, registry }: Creation,
): Promise<InstanceConfig> {
  const others = registry.all().map((record) => record.config);
  const config = await resolveInstance(request, {
    others,
    // The defaults, too: the next run may use them.
    ownPorts: [
      ...[settings.remoteControl.panelPort, settings.remoteControl.port],
      ...[DEFAULT_PANEL_PORT, DEFAULT_REMOTE_PORT],
    ],
    canBind,
    hasFolder: (id) => existsSync(home.instanceDirectory(id)),
    async folderOf(id) {
      const managed = request.directory === undefined;
      const directory = managed
        ? home.instanceDirectory(id)
        : await ownFolder(request.directory!, { home: home.root, others });
      return { directory, managed, settings: await readFolderSettings(directory) };
    },
    newPassword: () => randomBytes(PASSWORD_BYTES).toString('base64url'),
    now: new Date(),
  });

  const made = config.managed ? await mkdir(config.directory, { recursive: true, mode: 0o700 }) : undefined;
  try {
    registry.save(config);
  } catch (error) {
    if (made !== undefined) await rmdir(config.directory);
    throw error;
  }
  return config;
}
