import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { showUnprintable } from '../../../shared/domain/console/invisible-characters.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { ModSources } from '../mods/fetch-mods.ts';
import type { Phase } from '../queue/job-progress.ts';
import { resultOf } from '../queue/steps.ts';
import { copyIn } from '../vendors/copy-in.ts';
import type { Digest } from '../vendors/digest.ts';
import { type DownloadCache, fetchFile, nameOf } from '../vendors/download-cache.ts';
import { type VendorAddresses, vendorOf } from '../vendors/vendor.ts';
import { type Pack, type PackFile, unusablePack } from './pack-index.ts';

/** The hosts that modpacks may name ("Modrinth Modpack Format (.mrpack)", `downloads`). */
const HOSTS = ['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com'];
/** How many bytes a modpack is expected to download before its index is read, so that its job does not seem to be almost done. */
export const USUAL_PACK_BYTES = 300 * 1024 ** 2;
/** How many addresses of a file are tried: a stranger's index can name thousands. */
const MOST_ADDRESSES = 3;
const FOLDER_MODE = 0o755;

/**
 * Throws `invalid_request` for a file that is only at hosts that modpacks may not name. `mirror`: the address that the settings name for
 * Modrinth.
 */
export function requireAllowedHosts({ files }: Pick<Pack, 'files'>, mirror: string | undefined): void {
  for (const file of files)
    if (addressesOf(file, mirror).length === 0)
      throw unusablePack(`${JSON.stringify(file.path)} is not at ${HOSTS.join(', ')}`);
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
  const addresses = await vendors();
  await requireDiskSpace(files, folder, downloads);
  for (const { file, phase } of files) {
    const source = await fetchOne(file, { addresses, downloads, signal, phase });
    const target = path.join(folder, file.path);
    try {
      await mkdir(path.dirname(target), { recursive: true, mode: FOLDER_MODE });
      await copyIn(source, target);
    } catch (error) {
      if (hasErrorCode(error, 'ENAMETOOLONG')) throw unusablePack(`${JSON.stringify(file.path)} is too long`, error);
      if (!hasErrorCode(error, 'EEXIST', 'ENOTDIR', 'EISDIR')) throw withStorageError(error, 'the modpack');
      throw unusablePack(`${JSON.stringify(file.path)} is a file and a folder at once`, error);
    }
  }
}

/** Downloads stay in the cache, so what is not there yet needs its size twice. */
async function requireDiskSpace(
  files: readonly PackDownload[],
  folder: string,
  { folder: cache }: DownloadCache,
): Promise<void> {
  await mkdir(cache, { recursive: true });
  let [copied, downloaded] = [0, 0];
  for (const { file } of files) {
    copied += file.bytes;
    if (await isMissing(path.join(cache, nameOf(digestOf(file))))) downloaded += file.bytes;
  }
  const isOneDisk = (await stat(cache)).dev === (await stat(folder)).dev;
  const needed = copied + (isOneDisk ? downloaded : 0) + RESERVED_BYTES;
  await requireSpace(folder, needed, 'The modpack, with what the game needs to save,');
  if (!isOneDisk) await requireSpace(cache, downloaded, 'The download of the modpack');
}

interface FetchContext extends Pick<ModSources, 'downloads'> {
  addresses: VendorAddresses;
  signal: AbortSignal;
  phase: Phase;
}

/** Tries the addresses of a file one after the other. */
async function fetchOne(file: PackFile, { addresses, downloads, signal, phase }: FetchContext): Promise<string> {
  const vendor = vendorOf('modrinth', addresses);
  const title = showUnprintable(path.posix.basename(file.path));
  let last: GamekeeperError | undefined;
  for (const url of addressesOf(file, addresses.modrinth)) {
    const order = { vendor, url, digest: digestOf(file), bytes: file.bytes };
    try {
      return (await resultOf(fetchFile(order, downloads, { signal, title, phase }))).file;
    } catch (error) {
      if (!isGamekeeperError(error, 'vendor_unavailable')) throw error;
      last = error;
    }
  }
  throw notDownloaded(file, last);
}

/** A mirror of Modrinth does not help here, and often neither does the connection: the file may have been replaced. */
function notDownloaded(file: PackFile, cause: GamekeeperError | undefined): GamekeeperError {
  const why = cause ? ` ${cause.message}` : '';
  return new GamekeeperError(
    'vendor_unavailable',
    `${JSON.stringify(file.path)} of the modpack cannot be downloaded.${why}`,
    {
      resolution: 'Try again later, or choose another version of the modpack.',
      ...(cause?.retryAfterSeconds !== undefined && { retryAfterSeconds: cause.retryAfterSeconds }),
      cause,
    },
  );
}

function digestOf({ sha512 }: PackFile): Digest {
  return { algorithm: 'sha512', hex: sha512 };
}

function addressesOf({ urls }: PackFile, mirror: string | undefined): string[] {
  return urls.filter((url) => isAllowed(new URL(url), mirror)).slice(0, MOST_ADDRESSES);
}

function isAllowed({ protocol, host, href }: URL, mirror: string | undefined): boolean {
  if (protocol === 'https:' && HOSTS.includes(host)) return true;
  return mirror !== undefined && href.startsWith(`${new URL(mirror).href.replace(/\/$/, '')}/`);
}
