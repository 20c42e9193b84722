import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { showUnprintable } from '../../../shared/domain/console/invisible-characters.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import type { ModSources } from '../mods/fetch-mods.ts';
import type { Phase } from '../queue/job-progress.ts';
import { resultOf } from '../queue/steps.ts';
import { copyIn } from '../vendors/copy-in.ts';
import { fetchFile } from '../vendors/download-cache.ts';
import { type Vendor, vendorOf } from '../vendors/vendor.ts';
import { type Pack, type PackFile, unusablePack } from './pack-index.ts';

/** The hosts that modpacks may name ("Modrinth Modpack Format (.mrpack)", `downloads`). */
const HOSTS = ['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com'];
/** What a modpack downloads, as long as its index is not read: an estimate, so that a job does not seem to be almost done. Bytes. */
export const USUAL_PACK_BYTES = 300 * 1024 ** 2;
const FOLDER_MODE = 0o755;

/** Throws `invalid_request` for a file that is only at hosts that modpacks may not name. `mirror`: the address used for Modrinth. */
export function requireAllowedHosts({ files }: Pick<Pack, 'files'>, mirror: string): void {
  for (const file of files) addressOf(file, mirror);
}

/** A file, and the part of the job's progress that it is. */
export interface PackDownload {
  file: PackFile;
  phase: Phase;
}

/**
 * Downloads the files of a modpack into a new folder, each verified by its SHA-512. The folder has nothing else yet, so no link can lead out
 * of it. Throws `vendor_unavailable`, `invalid_request` and `insufficient_storage`.
 */
export async function downloadPack(
  files: readonly PackDownload[],
  folder: string,
  { signal, sources: { vendors, downloads } }: { signal: AbortSignal; sources: ModSources },
): Promise<void> {
  const vendor = vendorOf('modrinth', await vendors());
  const bytes = files.reduce((sum, { file }) => sum + file.bytes, 0);
  await requireSpace(folder, bytes, 'The modpack');
  for (const { file, phase } of files) {
    const source = await fetchOne(file, { vendor, downloads, signal, phase });
    const target = path.join(folder, file.path);
    try {
      await mkdir(path.dirname(target), { recursive: true, mode: FOLDER_MODE });
      await copyIn(source, target);
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST', 'ENOTDIR', 'EISDIR')) throw withStorageError(error, 'the modpack');
      throw unusablePack(`${JSON.stringify(file.path)} is a file and a folder at once`, error);
    }
  }
}

interface FetchContext extends Pick<ModSources, 'downloads'> {
  vendor: Vendor;
  signal: AbortSignal;
  phase: Phase;
}

async function fetchOne(file: PackFile, { vendor, downloads, signal, phase }: FetchContext): Promise<string> {
  const digest = { algorithm: 'sha512', hex: file.sha512 } as const;
  const title = showUnprintable(path.posix.basename(file.path));
  const order = { vendor, url: addressOf(file, vendor.base), digest, bytes: file.bytes };
  return (await resultOf(fetchFile(order, downloads, { signal, title, phase }))).file;
}

function addressOf(file: PackFile, mirror: string): string {
  const url = file.urls.find((one) => isAllowed(new URL(one), mirror));
  if (url === undefined) throw unusablePack(`${JSON.stringify(file.path)} is not at ${HOSTS.join(', ')}`);
  return url;
}

function isAllowed({ protocol, host }: URL, mirror: string): boolean {
  return (protocol === 'https:' && HOSTS.includes(host)) || host === new URL(mirror).host;
}
