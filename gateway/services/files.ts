import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rightsOn } from '../../shared/domain/access/rights.ts';
import type { ActionResponse } from '../../shared/schema/answers.ts';
import type {
  DeletedFile,
  FileHistory,
  FileList,
  FileSearch,
  FileSort,
  FileUsage,
  SortOrder,
  TrashEntry,
  WrittenFile,
} from '../../shared/schema/files.ts';
import type { Identity } from '../auth/identity.ts';
import type { ByteRange } from '../http/byte-range.ts';
import type { ByteChannel } from '../upstream/byte-channel.ts';
import type { Files, Jobs, UploadOwner } from '../upstream/clients.ts';
import type { Accepted, JobsService } from './jobs.ts';

/** As long as it takes. */
const UNTIMED = { timeoutMs: 0 };

export interface FileFacts {
  sizeBytes: number;
  modifiedAt: string;
  etag: string;
}

/** A file, or an earlier version of it. */
export interface FileAddress {
  instanceId: string;
  path: string;
  version?: string;
}

export interface FileQuery {
  path: string;
  name?: string | undefined;
  contains?: string | undefined;
  limit: number;
}

export type { UploadOwner };

/** An upload in pieces. */
export type UploadKey = UploadOwner & { uploadId: string };

export interface Upload {
  body: Readable;
  /** As the client announced. */
  sizeBytes: number | undefined;
  ifMatch: string | undefined;
  /** True: nothing may be at the path yet. */
  isNew: boolean;
}

/** The files of instances. Paths are relative to the instance's folder. Errors as in shared/contract/files.ts. */
export interface FilesService {
  list(
    instanceId: string,
    query: { path: string; sort: FileSort; order: SortOrder; limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<FileList>;
  /** Who may only read finds only what the masks leave. */
  search(instanceId: string, query: FileQuery, by: Identity, signal: AbortSignal): Promise<FileSearch>;
  usage(instanceId: string, path: string, signal: AbortSignal): Promise<FileUsage>;
  look(file: FileAddress): Promise<FileFacts>;
  /**
   * Returns part of a file as it was when `look` returned its ETag, with secrets masked for those who may only read. A failure after the first
   * byte is an error of the stream.
   */
  read(request: FileAddress & { etag: string; part: ByteRange }, by: Identity): Promise<Readable>;
  /** The earlier versions of a file. */
  history(instanceId: string, path: string): Promise<FileHistory>;
  restoreVersion(file: Required<FileAddress>): Promise<WrittenFile>;
  /** Replaces a file at once, when all of its bytes have arrived. */
  write(instanceId: string, path: string, upload: Upload): Promise<WrittenFile & { isNew: boolean }>;
  /** Begins an upload in pieces. */
  createUpload(
    request: UploadOwner & { path: string; sizeBytes: number },
    conditions: { ifMatch: string | undefined; isNew: boolean },
  ): Promise<{ uploadId: string }>;
  upload(upload: UploadKey): Promise<{ sizeBytes: number; offset: number; usedAt: string }>;
  /** Adds what arrives, also if it breaks off. Resolves to the new offset. */
  append(request: UploadKey & { offset: number }, body: Readable): Promise<number>;
  removeUpload(upload: UploadKey): Promise<void>;
  makeFolder(instanceId: string, path: string): Promise<void>;
  move(instanceId: string, way: { from: string; to: string }): Promise<void>;
  copy(instanceId: string, way: { from: string; to: string }, signal: AbortSignal): Promise<void>;
  /** Creates a ZIP from what is in a folder, or from `names` of that. */
  archive(
    instanceId: string,
    way: { path: string; names?: string[] | undefined; to: string },
  ): Promise<Accepted<ActionResponse>>;
  /** Unpacks a ZIP into a folder. */
  extract(instanceId: string, way: { path: string; to: string }): Promise<Accepted<ActionResponse>>;
  remove(request: { instanceId: string; path: string; isPermanent: boolean }, by: Identity): Promise<DeletedFile>;
  /** Who deleted something is told to those who may write. */
  trash(instanceId: string, by: Identity): Promise<TrashEntry[]>;
  restoreFromTrash(instanceId: string, trashId: string): Promise<{ path: string }>;
  /** Without an id: everything. */
  emptyTrash(instanceId: string, trashId?: string): Promise<void>;
}

export interface FilesOptions {
  files: Files;
  jobs: Jobs;
  work: JobsService;
  openChannel: () => Promise<ByteChannel>;
}

export function createFilesService({ files, jobs, work, openChannel }: FilesOptions): FilesService {
  const { call } = files;

  /** Runs a call that connects to a channel, and hands over the connection. */
  async function withChannel<T>(begin: (path: string) => Promise<T>): Promise<{ socket: Socket; done: Promise<T> }> {
    const channel = await openChannel();
    try {
      const done = begin(channel.path);
      const socket = await Promise.race([channel.connected, done.then(() => channel.connected)]);
      return { socket, done };
    } finally {
      channel.close();
    }
  }

  return {
    list: (instanceId, query, signal) => call.list({ instanceId, ...query }, { ...UNTIMED, signal }),
    search: (instanceId, query, by, signal) =>
      call.search({ instanceId, ...query, isMasked: !mayWrite(by, instanceId) }, { ...UNTIMED, signal }),
    usage: (instanceId, path, signal) => call.usage({ instanceId, path }, { ...UNTIMED, signal }),
    look: (file) => call.look(file),
    history: (instanceId, path) => call.history({ instanceId, path }),
    async restoreVersion(file) {
      const { isNew: _, ...written } = await call.restoreVersion(file, UNTIMED);
      return written;
    },

    async read({ part, ...file }, by) {
      const leaving = new AbortController();
      const request = { ...file, ...part, isMasked: !mayWrite(by, file.instanceId) };
      const { socket, done } = await withChannel((channel) =>
        call.read({ ...request, socket: channel }, { ...UNTIMED, signal: leaving.signal }),
      );
      done.catch(() => undefined); // reported below, unless the reader has gone
      const content = Readable.from(wholeOrBroken(socket, done), { objectMode: false });
      // Also if the reader leaves before the first byte, when nothing of the generator has run.
      content.once('close', () => {
        socket.destroy();
        leaving.abort();
      });
      return content;
    },

    async write(instanceId, path, { body, sizeBytes, ...conditions }) {
      const { socket, done } = await withChannel((channel) =>
        call.stage({ instanceId, socket: channel, sizeBytes }, UNTIMED),
      );
      done.catch(() => undefined); // awaited below
      try {
        await pipeline(body, socket);
      } catch (error) {
        // A full disk closes the channel: then the reason is in the answer to the call. Else the client has left.
        await call.discard((await done).stagedId);
        throw error;
      }
      const { stagedId } = await done;
      return await call.commit({ instanceId, path, stagedId, ...conditions }, UNTIMED);
    },

    createUpload: (request, conditions) => call.createUpload({ ...request, ...conditions }),
    upload: (upload) => call.upload(upload, UNTIMED),
    async append(request, body) {
      const { socket, done } = await withChannel((channel) => call.append({ ...request, socket: channel }, UNTIMED));
      done.catch(() => undefined); // awaited below
      // Whatever has arrived when the client leaves is kept.
      await pipeline(body, socket).catch(() => socket.end());
      return (await done).offset;
    },
    removeUpload: (upload) => call.removeUpload(upload),
    makeFolder: (instanceId, path) => call.makeFolder({ instanceId, path }),
    move: (instanceId, way) => call.move({ instanceId, ...way }),
    copy: (instanceId, way, signal) => call.copy({ instanceId, ...way }, { ...UNTIMED, signal }),
    async archive(instanceId, way) {
      const job = await jobs.call.startArchive({ instanceId, ...way });
      return work.accept(job, () => ({ success: true, message: `Created "${way.to}".` }));
    },
    async extract(instanceId, way) {
      const job = await jobs.call.startExtract({ instanceId, ...way });
      return work.accept(job, () => ({ success: true, message: `Unpacked "${way.path}".` }));
    },
    remove: (request, by) => call.remove({ ...request, by: by.username }, UNTIMED),
    async trash(instanceId, by) {
      const entries = await call.trash(instanceId, UNTIMED);
      return mayWrite(by, instanceId) ? entries : entries.map(({ deletedBy: _, ...entry }) => entry);
    },
    restoreFromTrash: (instanceId, trashId) => call.restoreFromTrash({ instanceId, trashId }, UNTIMED),
    emptyTrash: (instanceId, trashId) => call.emptyTrash({ instanceId, trashId }, UNTIMED),
  };
}

function mayWrite(by: Identity, instanceId: string): boolean {
  return rightsOn(by, instanceId)?.files === 'write';
}

async function* wholeOrBroken(source: Readable, done: Promise<unknown>): AsyncGenerator<Buffer> {
  yield* source as AsyncIterable<Buffer>;
  await done;
}
