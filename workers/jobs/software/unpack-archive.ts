import { chmodSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { UNPACKED_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { bytesOf, nameOf } from '../../../shared/node/files/file-name.ts';
import { realServerFolder } from '../../../shared/node/files/server/server-folder.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { underConstruction } from '../../../shared/node/files/under-construction.ts';
import { isDamage, whatIsDamaged } from '../backups/archive-damage.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Pool } from '../resources/pool.ts';
import { randomHex } from '../resources/random-hex.ts';
import { mergeTree } from './merge-tree.ts';

export interface ArchiveInstall {
  /** Absolute path of a ZIP, tar.gz or tar.xz. */
  archive: string;
  /** For errors: "The downloaded file". */
  what: string;
  /** The server's folder. */
  directory: string;
  /** The folders of the archive whose content to unpack, a glob without `**`; '': all of it. */
  from: string;
  /** Where to unpack, relative to the server's folder. Missing folders are created. */
  to: string;
  /** Globs of files, relative to the server's folder, that are kept if they exist. */
  keep: readonly string[];
}

/**
 * Unpacks an archive of any origin over a server's folder. The pool checks and unpacks it beside the server's files first. Throws
 * `installation_failed` for one that is damaged or dangerous, and `insufficient_storage`.
 */
export async function unpackArchive(
  { archive, what, directory, from, to, keep }: ArchiveInstall,
  pool: Pool,
  run: Pick<JobRun, 'signal' | 'phase'>,
): Promise<void> {
  const root = await realServerFolder(directory);
  createFolder(root, to);
  const own = `${UNPACKED_FOLDER}/${randomHex(12)}`;
  await using unpacked = underConstruction(root, { own, folder: to });
  const phase = run.phase(0);
  try {
    const strip = from === '' ? 0 : from.split('/').length;
    const order = { archive, target: path.join(root, unpacked.path), strip };
    await unpack(order, { pool, memory: phase.progress.memory, signal: run.signal });
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new GamekeeperError('installation_failed', `${what} cannot be unpacked. ${whatIsDamaged(error)}`, {
      cause: error,
    });
  } finally {
    phase.end();
  }
  run.signal.throwIfAborted();
  const folders = foldersIn(root, unpacked.path, from === '' ? [] : from.split('/'));
  if (folders.length === 0)
    throw new GamekeeperError('installation_failed', `${what} has no folder "${from}" to unpack.`);
  for (const folder of folders) mergeTree(root, { from: folder, to, keep });
}

/** Creates a folder of a server, and those above it. */
export function createFolder(root: string, folder: string): void {
  using cursor = new TreeCursor(root);
  cursor.enter(folder, (place) => chmodSync(place, 0o755));
}

interface UnpackContext {
  pool: Pool;
  memory: SharedArrayBuffer;
  signal: AbortSignal;
}

async function unpack(
  { archive, target, strip }: { archive: string; target: string; strip: number },
  { pool, memory: progress, signal }: UnpackContext,
): Promise<void> {
  const compression = await compressionOf(archive);
  if (compression !== undefined) {
    await pool.run('unpackTar', { archive, compression, target, strip, progress }, signal);
    return;
  }
  const { sha256, sourceBytes } = await pool.run('inspect', { archive, progress }, signal);
  await pool.run('extract', { archive, target, sha256, sourceBytes, progress }, signal);
}

/** Magic numbers of RFC 1952, 2.3.1, and of "The .xz File Format", 2.1.1.1. Anything else is read as a ZIP. */
const GZIP = '1f8b';
const XZ = 'fd377a585a00';

async function compressionOf(archive: string): Promise<'gzip' | 'xz' | undefined> {
  await using handle = await open(archive, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0);
  const magic = buffer.toString('hex', 0, bytesRead);
  if (magic.startsWith(GZIP)) return 'gzip';
  return magic === XZ ? 'xz' : undefined;
}

/** Returns the folders whose names match, from the top of `folder` downwards. */
function foldersIn(root: string, folder: string, [glob, ...below]: readonly string[]): string[] {
  if (glob === undefined) return [folder];
  using cursor = new TreeCursor(root);
  const items = readdirSync(bytesOf(cursor.enter(folder)), { encoding: 'buffer', withFileTypes: true });
  return items
    .filter((item) => item.isDirectory() && path.matchesGlob(nameOf(item.name), glob))
    .flatMap((item) => foldersIn(root, `${folder}/${nameOf(item.name)}`, below));
}
