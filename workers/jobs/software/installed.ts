import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { VENDOR_NAMES } from '../../../shared/domain/vendors.ts';
import { syncDirectory, writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readValidJson } from '../../../shared/node/files/json-record.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';

const installed = z.object({
  kind: z.string(),
  version: z.string(),
  build: z.string(),
  /** Major version of the Java that it needs. */
  java: z.int().optional(),
  /** The download; absent for an imported program. */
  file: z
    .object({
      vendor: z.enum(VENDOR_NAMES).optional(),
      url: z.url(),
      digest: z.object({ algorithm: z.enum(['md5', 'sha1', 'sha256']), hex: z.string() }).optional(),
      bytes: z.int().optional(),
    })
    .optional(),
  /** What the steps of the kind were, if it was installed by steps, as a hash. */
  steps: z.string().optional(),
  /** Imported program, relative to the folder. It runs as it is until another version is set. */
  own: z.string().optional(),
});

/**
 * The record of what was installed for an instance. With it, a start needs no vendor. It is kept neither in the server's folder, which
 * belongs to the owner, nor in the cache, because nothing else records which program was imported.
 */
export type Installed = z.infer<typeof installed>;

export interface InstalledRecords {
  /** Returns `undefined` if there is no valid record; then the vendor is asked again. */
  read(instanceId: string): Promise<Installed | undefined>;
  write(instanceId: string, record: Installed): Promise<void>;
  remove(instanceId: string): Promise<void>;
}

export function createInstalledRecords(folder: string): InstalledRecords {
  const fileOf = (instanceId: string) => path.join(folder, `${instanceId}.json`);
  return {
    read: (instanceId) => readValidJson(fileOf(instanceId), installed),
    async write(instanceId, record) {
      await mkdir(folder, { recursive: true });
      await writeFileAtomically(fileOf(instanceId), JSON.stringify(record));
    },
    remove: (instanceId) => rm(fileOf(instanceId), { force: true }),
  };
}

/** Moves the records that earlier versions kept in the cache. Must run at the start; a crash leaves the rest for the next start. */
export async function moveFormerRecords(former: string, folder: string): Promise<void> {
  const names = await readdir(former).catch(() => []); // usually there are none
  if (names.length === 0) return;
  await mkdir(folder, { recursive: true });
  for (const name of names) await rename(path.join(former, name), path.join(folder, name));
  await syncDirectory(folder);
  await removeTree(former);
}
