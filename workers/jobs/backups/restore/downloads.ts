import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { DOWNLOAD_SUFFIX, PARTIAL_SUFFIX } from '../catalogue/archive-files.ts';
import type { StoredObject } from '../stores/store.ts';

/** For so long a download that was cut off waits for somebody to go on with it. */
const KEPT_MS = 86_400_000;
/** Of the hash: tells the few copies that one archive has apart. */
const HASH_DIGITS = 12;

/** Where a copy is downloaded to, beside its archive. Named after its content, so that no other copy's beginning is gone on with. */
export function downloadOf(archive: string, { sha256 }: Pick<StoredObject, 'sha256'>): string {
  return `${archive}.${sha256.slice(0, HASH_DIGITS)}${DOWNLOAD_SUFFIX}`;
}

/** What there is of a download until it is whole. */
export function partialOf(download: string): string {
  return `${download}${PARTIAL_SUFFIX}`;
}

/** Removes all that was downloaded of an archive's copies. */
export async function removeDownloads(archive: string): Promise<void> {
  const folder = path.dirname(archive);
  if (await isMissing(folder)) return;
  const ours = (await readdir(folder)).filter(
    (name) => name.startsWith(`${path.basename(archive)}.`) && /\.download(\.partial)?$/.test(name),
  );
  for (const name of ours) await rm(path.join(folder, name), { force: true });
}

/** True for the beginning of a download that is worth going on with. */
export async function isResumable(file: string, now: Date): Promise<boolean> {
  return file.endsWith(partialOf(DOWNLOAD_SUFFIX)) && now.getTime() - (await stat(file)).mtimeMs < KEPT_MS;
}
