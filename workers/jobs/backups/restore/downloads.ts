import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { DOWNLOAD_SUFFIX, PARTIAL_SUFFIX } from '../catalogue/archive-files.ts';
import type { StoredObject } from '../stores/store.ts';

/** An interrupted download is kept for this long, to be resumed. Milliseconds. */
const KEPT_MS = 86_400_000;
/** Digits of the hash in the name: enough to tell the copies of one archive apart. */
const HASH_DIGITS = 12;

/** Returns where a copy is downloaded to, beside its archive. Named after its content, so only the same bytes are resumed. */
export function downloadOf(archive: string, { sha256 }: Pick<StoredObject, 'sha256'>): string {
  return `${archive}.${sha256.slice(0, HASH_DIGITS)}${DOWNLOAD_SUFFIX}`;
}

export function partialOf(download: string): string {
  return `${download}${PARTIAL_SUFFIX}`;
}

export async function removeDownloads(archive: string): Promise<void> {
  const folder = path.dirname(archive);
  if (await isMissing(folder)) return;
  const ours = (await readdir(folder)).filter(
    (name) => name.startsWith(`${path.basename(archive)}.`) && /\.download(\.partial)?$/.test(name),
  );
  for (const name of ours) await rm(path.join(folder, name), { force: true });
}

/** Returns true for an interrupted download that is recent enough to be resumed. */
export async function isResumable(file: string, now: Date): Promise<boolean> {
  return file.endsWith(partialOf(DOWNLOAD_SUFFIX)) && now.getTime() - (await stat(file)).mtimeMs < KEPT_MS;
}
