import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, fchmodSync, futimesSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Header } from 'tar-stream';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { Progress } from '../progress.ts';
import type { ExtractResult, UnpackTarTask } from '../task-types.ts';
import { syncTree } from '../tree/sync-tree.ts';
import { damaged } from './damaged.ts';
import { nameProblem } from './entry-name.ts';
import { MOST_ENTRIES } from './open-archive.ts';

type Entry = AsyncIterable<Buffer> & { header: Header };

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/** PATH_MAX of Linux: the longest target of a link. */
const MAX_LINK_BYTES = 4_096;

/**
 * Unpacks a tar archive of any origin into a new folder. Files are created exclusively and no link is followed. Links come last, and only
 * those that stay in the folder; hard links, devices and the like are refused, as are names that would leave the folder. Synced.
 * Throws `backup_damaged`, `insufficient_storage`, and `installation_failed` if this machine has no `xz`.
 */
export async function unpackTar(task: UnpackTarTask): Promise<ExtractResult> {
  const progress = new Progress(task.progress);
  const handle = await open(task.archive, 'r');
  try {
    progress.expect((await handle.stat()).size);
    const fileCount = await unpackFrom(handle, task, progress);
    await syncTree(task.target);
    return { fileCount };
  } catch (error) {
    // Also of an entry that was being read when the flow of bytes ended.
    if (isFormatError(error)) throw damaged('It is not a complete tar archive.', error);
    throw withStorageError(error, 'what is in the archive');
  } finally {
    await handle.close();
  }
}

async function unpackFrom(handle: FileHandle, task: UnpackTarTask, progress: Progress): Promise<number> {
  const { target, strip } = task;
  // Private until it is complete.
  using around = new TreeCursor(path.dirname(target));
  await mkdir(around.placeOf(path.basename(target)), { mode: 0o700 });
  using cursor = new TreeCursor(target);
  const links: { name: string; leadsTo: string }[] = [];
  let entries = 0;
  let files = 0;
  for await (const entry of entriesOf(handle, task, progress)) {
    if (++entries > MOST_ENTRIES) throw damaged(`It has more than ${MOST_ENTRIES.toLocaleString('en')} entries.`);
    const { header } = entry;
    const name = header.name.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
    if (name === '' || name === '.') continue;
    requireName(name);
    if (header.type === 'directory') enterFolder(cursor, name);
    else if (header.type === 'symlink') links.push({ name, leadsTo: linkTarget(name, header.linkname, strip) });
    else if (isFile(header)) {
      await requireSpace(target, header.size + RESERVED_BYTES, 'What is in the archive, with what the game needs,');
      await writeFile(cursor, name, entry);
      files++;
    } else throw damaged(`"${name}" is neither a file, a folder nor a symbolic link.`);
  }
  for (const { name, leadsTo } of links) createEntry(name, () => symlinkSync(leadsTo, cursor.placeOf(name, openToAll)));
  return files;
}

/** Yields the entries in order; each must be read or skipped before the next. */
async function* entriesOf(handle: FileHandle, { compression }: UnpackTarTask, progress: Progress) {
  const tar = createExtract();
  const bytes = counted(handle, progress);
  // Its types know only its own kind of streams.
  const sink = tar as unknown as NodeJS.WritableStream;
  const feeding = compression === 'gzip' ? pipeline(bytes, createGunzip(), sink) : throughXz(bytes, sink);
  feeding.catch(() => undefined); // awaited below
  try {
    for await (const entry of tar) {
      yield entry as unknown as Entry;
      entry.resume();
    }
    await feeding;
  } catch (error) {
    tar.destroy();
    // What ended the flow of bytes says more than that it ended. Streams of streamx, below tar-stream, say no more than that.
    const cause = await feeding.then(
      () => error,
      (fed: unknown) => (fed instanceof GamekeeperError || hasErrorCode(error, 'STREAM_DESTROYED') ? fed : error),
    );
    throw cause;
  } finally {
    tar.destroy();
    await feeding.catch(() => undefined);
  }
}

/** Node has no decoder for xz. */
async function throughXz(bytes: AsyncIterable<Buffer>, sink: NodeJS.WritableStream): Promise<void> {
  const child = spawn('xz', ['--decompress', '--stdout', '--memlimit-decompress=512MiB'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => undefined); // awaited below
  try {
    await pipeline(bytes, Duplex.from({ writable: child.stdin, readable: child.stdout }), sink);
  } catch (error) {
    child.kill('SIGKILL');
    if (child.pid !== undefined) throw error;
    throw new GamekeeperError('installation_failed', 'This machine does not have xz, which unpacks tar.xz archives.', {
      resolution: 'Install the Debian package xz-utils.',
    });
  }
  // It has closed its output, and is about to end.
  const [code] = await ended;
  if (code !== 0) throw damaged('Its compressed content is damaged.');
}

async function* counted(handle: FileHandle, progress: Progress): AsyncGenerator<Buffer> {
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    progress.advance(chunk.length);
    yield chunk;
  }
}

function requireName(name: string): void {
  const problem = nameProblem(name, { alphabet: 'native', platform: process.platform });
  if (problem) throw damaged(`The name ${JSON.stringify(name.slice(0, 200))} ${problem}.`);
}

/** Old archives mark a file as "contiguous", which means nothing today. */
function isFile({ type }: Header): boolean {
  return type === 'file' || type === 'contiguous-file';
}

/**
 * Returns where a link may lead: upwards at most to the top, and then only downwards, so that it stays in the folder even through other links
 * of the archive. Throws `backup_damaged`.
 */
function linkTarget(name: string, target: string, strip: number): string {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const ups = parts.findIndex((part) => part !== '..');
  const climbs = ups === -1 ? parts.length : ups;
  const depth = Math.max(0, name.split('/').length - 1 - strip);
  const isPlain = target !== '' && !target.includes('\0') && Buffer.byteLength(target) <= MAX_LINK_BYTES;
  if (isPlain && !target.startsWith('/') && climbs <= depth && !parts.slice(climbs).includes('..')) return target;
  throw damaged(`The link "${name}" leads out of the archive.`);
}

function enterFolder(cursor: TreeCursor, name: string): void {
  createEntry(name, () => cursor.enter(name, openToAll));
}

function openToAll(place: string): void {
  chmodSync(place, FOLDER_MODE);
}

async function writeFile(cursor: TreeCursor, name: string, entry: Entry): Promise<void> {
  const { mode, mtime } = entry.header;
  const descriptor = createEntry(name, () => openSync(cursor.placeOf(name, openToAll), 'wx', 0o600));
  try {
    for await (const chunk of entry)
      for (let done = 0; done < chunk.length; ) done += writeSync(descriptor, chunk, done, chunk.length - done);
    // Only whether it is a program: who may read and change it is not for the archive to say.
    fchmodSync(descriptor, (mode & 0o100) === 0 ? FILE_MODE : FOLDER_MODE);
    futimesSync(descriptor, mtime, mtime);
  } finally {
    closeSync(descriptor);
  }
}

function createEntry<T>(name: string, create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) throw damaged(`It contains "${name}" twice.`);
    if (hasErrorCode(error, 'ENOTDIR', 'ELOOP', 'EISDIR'))
      throw damaged(`"${name}" is in something that is not a folder.`, error);
    throw error;
  }
}

/** Of zlib, of tar-stream (which has messages only), or of a stream that ended early. */
function isFormatError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof GamekeeperError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    code === '' || code.startsWith('Z_') || code.startsWith('ERR_') || ['EPIPE', 'STREAM_DESTROYED'].includes(code)
  );
}
