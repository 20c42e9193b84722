import { mkdir, realpath } from 'node:fs/promises';
import type { UploadOwner } from '../../../shared/contract/files.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { ServerFolders } from '../folder/server-folders.ts';

/** Where the uploads of an owner arrive. */
export interface UploadPlace {
  /** The folder with Gamekeeper's own one in it, links resolved. */
  root: string;
  /** Present: the archives of this account, which stay where they have arrived. Absent: files of a server, which then get to their paths. */
  account?: string;
}

export interface UploadPlaces {
  /** Throws as `ServerFolders.toRead`. */
  toRead(owner: UploadOwner): Promise<UploadPlace>;
  /** Throws as `ServerFolders.toChange`. */
  toChange(owner: UploadOwner): Promise<UploadPlace>;
}

export function createUploadPlaces(folders: ServerFolders, { imports }: Pick<Home, 'imports'>): UploadPlaces {
  async function importsRoot(): Promise<string> {
    await mkdir(imports, { recursive: true, mode: 0o700 });
    return realpath(imports);
  }

  const place = async (owner: UploadOwner, rootOf: (instanceId: string) => Promise<string>): Promise<UploadPlace> =>
    'instanceId' in owner
      ? { root: await rootOf(owner.instanceId) }
      : { root: await importsRoot(), account: owner.account };
  return {
    toRead: (owner) => place(owner, folders.toRead),
    toChange: (owner) => place(owner, folders.toChange),
  };
}
