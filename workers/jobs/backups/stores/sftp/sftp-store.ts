import path from 'node:path';
import type { SFTPWrapper, Stats } from 'ssh2';
import type { SftpStoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace } from '../store.ts';
import { full } from '../store-error.ts';
import { createFileStore, type RemoteFiles } from '../transfer/file-store.ts';
import { readLocal } from '../transfer/local-file.ts';
import { paced } from '../transfer/pace.ts';
import type { Part } from '../transfer/remote-reader.ts';
import { remoteSha256 } from './sftp-checksum.ts';
import { ask, createSftpConnections, explainSftp } from './sftp-connection.ts';

/** Size and number of concurrent requests: 2 MiB in all, which hides a latency of 0.2 s at 10 MB/s. */
const CHUNK_BYTES = 64 * 1024;
const IN_FLIGHT = 32;

const NO_SUCH_FILE = 2;
const FAILURE = 4;

/** A folder on an SSH server. Only used if the server shows the host key of the settings. */
export function createSftpStore(settings: SftpStoreSettings, place: StorePlace): Store {
  const { name, directory } = settings;
  const connections = createSftpConnections(settings);
  const at = (key: string) => path.posix.join(directory, key);
  const session = async (signal: AbortSignal) => (await connections.current(signal)).sftp;

  const files: RemoteFiles = {
    resumes: true,
    explain: (error) => explainSftp(name, error),
    stat: async (key, signal) => (await statOf(await session(signal), at(key), signal))?.size ?? null,
    async *read(key, part, signal) {
      const sftp = await session(signal);
      const handle = await ask<Buffer>(signal, (done) => sftp.open(at(key), 'r', done));
      try {
        yield* inOrder(part, (position) => readChunk(sftp, handle, position, signal));
      } finally {
        sftp.close(handle, ignored);
      }
    },
    async sha256(key, operation) {
      const { client, sftp } = await connections.current(operation.signal);
      const file = await ask<string>(operation.signal, (done) => sftp.realpath(at(key), done));
      return remoteSha256(client, file, operation);
    },
    async makeFolder(key, signal) {
      await makeFolders(await session(signal), path.posix.dirname(at(key)), signal);
    },
    free: async (signal) => freeBytes(await session(signal), directory, signal),
    async upload({ file, start, key }, how, operation) {
      const { signal, moved } = operation;
      const sftp = await session(signal);
      const handle = await ask<Buffer>(signal, (done) => sftp.open(at(key), start === 0 ? 'w' : 'r+', done));
      try {
        const pending = new Set<Promise<void>>();
        let position = start;
        for await (const chunk of paced(readLocal(file, { start }), how, operation)) {
          for (let from = 0; from < chunk.length; from += CHUNK_BYTES) {
            const part = Buffer.from(chunk.subarray(from, from + CHUNK_BYTES));
            const writing = ask<void>(signal, (done) => sftp.write(handle, part, 0, part.length, position, done));
            const settled: Promise<void> = writing.then(() => {
              moved();
              pending.delete(settled);
            });
            // Awaited below; until then a failure must not count as unhandled.
            settled.catch(ignored);
            pending.add(settled);
            position += part.length;
            while (pending.size >= IN_FLIGHT) await Promise.race(pending);
          }
        }
        await Promise.all(pending);
        await sync(sftp, handle, signal);
      } catch (error) {
        // On a full disk OpenSSH only reports "failure".
        const isFailure = (error as { code?: unknown }).code === FAILURE;
        const free = isFailure ? await freeBytes(sftp, directory, signal) : undefined;
        throw free !== undefined && free < CHUNK_BYTES * IN_FLIGHT ? full(name, 'is full.', error) : error;
      } finally {
        sftp.close(handle, ignored);
      }
    },
    async move(from, to, signal) {
      const sftp = await session(signal);
      if (await rename(sftp, at(from), at(to), signal)) return;
      // Without the extension, a rename does not replace the target.
      await remove(sftp, at(to), signal);
      await ask<void>(signal, (done) => sftp.rename(at(from), at(to), done));
    },
    remove: async (key, signal) => remove(await session(signal), at(key), signal),
    close: async () => connections.close(),
  };
  return createFileStore(name, files, place);
}

async function statOf(sftp: SFTPWrapper, file: string, signal: AbortSignal): Promise<Stats | undefined> {
  try {
    return await ask<Stats>(signal, (done) => sftp.stat(file, done));
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_SUCH_FILE) return undefined;
    throw error;
  }
}

async function remove(sftp: SFTPWrapper, file: string, signal: AbortSignal): Promise<void> {
  if (await statOf(sftp, file, signal)) await ask<void>(signal, (done) => sftp.unlink(file, done));
}

async function makeFolders(sftp: SFTPWrapper, folder: string, signal: AbortSignal): Promise<void> {
  if (await statOf(sftp, folder, signal)) return;
  const parent = path.posix.dirname(folder);
  if (parent !== folder) await makeFolders(sftp, parent, signal);
  try {
    await ask<void>(signal, (done) => sftp.mkdir(folder, { mode: 0o700 }, done));
  } catch (error) {
    // Another client has just created it, or this is a real error.
    if (!(await statOf(sftp, folder, signal))) throw error;
  }
}

/** Yields the chunks of a file in order, requesting several at a time. */
async function* inOrder(
  { start, end = Number.POSITIVE_INFINITY }: Part,
  readAt: (position: number) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  const reading: Promise<Buffer>[] = [];
  for (let position = start; ; ) {
    for (; reading.length < IN_FLIGHT && position < end; position += CHUNK_BYTES) {
      const one = readAt(position);
      // Until it is awaited, a failure must not count as unhandled.
      one.catch(ignored);
      reading.push(one);
    }
    const chunk = await reading.shift();
    if (!chunk) return;
    if (chunk.length > 0) yield chunk;
    if (chunk.length < CHUNK_BYTES) return;
  }
}

async function readChunk(sftp: SFTPWrapper, handle: Buffer, position: number, signal: AbortSignal): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let length = 0;
  while (length < CHUNK_BYTES) {
    const bytes = await ask<number>(signal, (done) =>
      sftp.read(handle, buffer, length, CHUNK_BYTES - length, position + length, done),
    ).catch((error: unknown) => {
      // SSH_FX_EOF.
      if ((error as { code?: unknown }).code === 1) return 0;
      throw error;
    });
    if (bytes === 0) break;
    length += bytes;
  }
  return buffer.subarray(0, length);
}

async function freeBytes(sftp: SFTPWrapper, directory: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const { f_bavail, f_frsize } = await ask<{ f_bavail: number; f_frsize: number }>(signal, (done) =>
      sftp.ext_openssh_statvfs(directory, done),
    );
    return f_bavail * f_frsize;
  } catch {
    return undefined; // only OpenSSH reports it; an upload that does not fit fails
  }
}

async function sync(sftp: SFTPWrapper, handle: Buffer, signal: AbortSignal): Promise<void> {
  try {
    await ask<unknown>(signal, (done) => sftp.ext_openssh_fsync(handle, done));
  } catch {
    signal.throwIfAborted(); // servers other than OpenSSH sync when they like
  }
}

async function rename(sftp: SFTPWrapper, from: string, to: string, signal: AbortSignal): Promise<boolean> {
  try {
    await ask<void>(signal, (done) => sftp.ext_openssh_rename(from, to, done));
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (typeof (error as { code?: unknown }).code === 'number') throw error;
    return false; // ssh2 itself throws: the server lacks the extension
  }
}

function ignored(): void {}
