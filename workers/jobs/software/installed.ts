import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { VENDOR_NAMES } from '../../../shared/domain/vendors.ts';
import { syncDirectory, writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';

const installed = z.object({
  kind: z.string(),
  version: z.string(),
  build: z.string(),
  /** Major version of the Java that it needs, if any. */
  java: z.int().optional(),
  /** What was downloaded; absent where the program was there before us. */
  file: z
    .object({
      vendor: z.enum(VENDOR_NAMES).optional(),
      url: z.url(),
      digest: z.object({ algorithm: z.enum(['md5', 'sha1', 'sha256']), hex: z.string() }).optional(),
      bytes: z.int().optional(),
    })
    .optional(),
  /** The program that was there before us, relative to the folder: it is run as it is, until another version is wanted. */
  own: z.string().optional(),
});

/**
 * What was installed for an instance: with it, a start asks no vendor. It is not in the server's folder, which is the owner's, and not in
 * the cache: which program was there before us, nobody else knows.
 */
export type Installed = z.infer<typeof installed>;

export interface InstalledRecords {
  /** `undefined`: nothing, or nothing that is still known. */
  read(instanceId: string): Promise<Installed | undefined>;
  write(instanceId: string, record: Installed): Promise<void>;
  remove(instanceId: string): Promise<void>;
}

export function createInstalledRecords(folder: string): InstalledRecords {
  const fileOf = (instanceId: string) => path.join(folder, `${instanceId}.json`);
  return {
    async read(instanceId) {
      try {
        return installed.parse(JSON.parse(await readFile(fileOf(instanceId), 'utf8')));
      } catch {
        // None, or not whole: the vendor is asked again.
        return undefined;
      }
    },
    async write(instanceId, record) {
      await mkdir(folder, { recursive: true });
      await writeFileAtomically(fileOf(instanceId), JSON.stringify(record));
    },
    remove: (instanceId) => rm(fileOf(instanceId), { force: true }),
  };
}

/** Takes over the records of versions that kept them in the cache. For the start; a crash in between leaves the rest for the next one. */
export async function moveFormerRecords(former: string, folder: string): Promise<void> {
  const names = await readdir(former).catch(() => []); // none, as a rule
  if (names.length === 0) return;
  await mkdir(folder, { recursive: true });
  for (const name of names) await rename(path.join(former, name), path.join(folder, name));
  await syncDirectory(folder);
  await removeTree(former);
}
