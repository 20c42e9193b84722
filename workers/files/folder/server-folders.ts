import { existsSync } from 'node:fs';
import { SOFTWARE, setCustomSoftware } from '../../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { realServerFolder } from '../../../shared/node/files/server/server-folder.ts';
import type { DaemonClient } from '../../../shared/node/ipc/connect.ts';
import { knownSecrets } from '../../../shared/schema/known-secrets.ts';

/** Where the folders of instances are. */
export interface ServerFolders {
  /** The ids of all instances. */
  all(): Promise<string[]>;
  /** Returns an instance's folder, links resolved. Throws `instance_not_found`, and `file_not_found` if the folder is missing. */
  toRead(instanceId: string): Promise<string>;
  /** Throws as `toRead`, and `already_in_progress` while a restore replaces the folder. */
  toChange(instanceId: string): Promise<string>;
  /** The secrets in the instance's settings. */
  secrets(instanceId: string): Promise<string[]>;
}

export function createServerFolders(
  daemon: Pick<DaemonClient['call'], 'instance' | 'instances' | 'customSoftware'>,
  home: Home,
): ServerFolders {
  async function toRead(instanceId: string): Promise<string> {
    const { config } = await daemon.instance(instanceId);
    return realServerFolder(config.directory);
  }

  return {
    all: async () => (await daemon.instances()).map(({ config }) => config.id),
    toRead,
    async toChange(instanceId) {
      const root = await toRead(instanceId);
      if (existsSync(home.restoreMark(instanceId)))
        throw new GamekeeperError('already_in_progress', 'A backup is being restored, which replaces all files.', {
          resolution: 'Wait until the restore has ended.',
        });
      return root;
    },
    async secrets(instanceId) {
      const { config } = await daemon.instance(instanceId);
      // The kind says which variables are secret, and their defaults.
      if (SOFTWARE.every(({ kind }) => kind !== config.software))
        setCustomSoftware((await daemon.customSoftware()).kinds);
      return knownSecrets(config);
    },
  };
}
