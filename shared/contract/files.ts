import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { UPLOAD_ID } from '../domain/files/upload-id.ts';
import {
  type DeletedFile,
  FILE_SORTS,
  type FileHistory,
  type FileList,
  type FileSearch,
  type FileSort,
  type FileUsage,
  MOST_FILE_ENTRIES,
  SORT_ORDERS,
  type SortOrder,
  type TrashEntry,
  type WrittenFile,
} from '../schema/files.ts';
import type { WorldList } from '../schema/worlds.ts';
import { asSent, type CallContext, type Peer } from './call.ts';
import { type FileHandles, fileHandlesRouter } from './file-handles.ts';

export interface FilePlace {
  instanceId: string;
  /** Relative to the instance's folder, with `/`. */
  path: string;
}

export interface FileFacts {
  sizeBytes: number;
  modifiedAt: string;
  /** Quoted, strong (RFC 9110, section 8.8.3). Differs after each change. */
  etag: string;
}

/** Conditions of a write, which are checked just before the file is replaced. */
export interface WriteConditions {
  /** `If-Match` as received. */
  ifMatch?: string | undefined;
  /** True: nothing may be there yet (`If-None-Match: *`). */
  isNew?: boolean | undefined;
}

/** Whose uploads a call is about: files of an instance, or the archives that an account uploads to import them. */
export type UploadOwner = { instanceId: string } | { account: string };

export interface UploadState {
  path: string;
  sizeBytes: number;
  /** How many bytes have arrived. */
  offset: number;
  /** When it began, or when its archive was last used. It expires 24 hours later. */
  usedAt: string;
}

export interface UploadedArchive {
  /** Absolute. */
  file: string;
  /** What its owner calls it. */
  name: string;
}

/** The folders of all instances, for people: the only process that touches them on behalf of users. */
export interface FilesService extends FileHandles {
  /** Throws `file_not_found`, and `invalid_path` for anything but a folder; so do all calls with paths. */
  list(
    request: FilePlace & { sort: FileSort; order: SortOrder; limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<FileList>;
  /** Finds files by name, by a part of a line, or both. `isMasked`: only in what masks leave of them. */
  search(
    request: FilePlace & { name?: string | undefined; contains?: string | undefined; limit: number; isMasked: boolean },
    signal: AbortSignal,
  ): Promise<FileSearch>;
  /** Lists the worlds in the instance's folder. */
  worlds(instanceId: string, signal: AbortSignal): Promise<WorldList>;
  /** Adds up what is in a folder. */
  usage(request: FilePlace, signal: AbortSignal): Promise<FileUsage>;
  /** Returns what is needed to read a file, or an earlier `version` of it. Throws `invalid_path` for anything but an ordinary file. */
  look(request: FilePlace & { version?: string | undefined }): Promise<FileFacts>;
  /**
   * Writes part of a file to a local socket, both ends included. Resolves when all of it is sent. Throws `precondition_failed`, before the
   * first byte, if its ETag is another one by now. `isMasked`: with secrets masked, at the same length.
   */
  read(
    request: FilePlace & {
      version?: string | undefined;
      start: number;
      end: number;
      etag: string;
      socket: string;
      isMasked: boolean;
    },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Receives the bytes of a new file from a local socket, to its end, beside the instance's files. Nobody sees them until `commit`. They are
   * discarded when the caller's connection ends. Throws `insufficient_storage`.
   */
  stage(
    request: { instanceId: string; socket: string; sizeBytes?: number | undefined },
    peer: Peer,
    signal: AbortSignal,
  ): Promise<{ stagedId: string; sizeBytes: number }>;
  /** Puts staged bytes in place of a file, at once, keeping its mode and owner. Throws `precondition_failed` and `file_exists`. */
  commit(request: FilePlace & WriteConditions & { stagedId: string }): Promise<WrittenFile & { isNew: boolean }>;
  discard(stagedId: string): Promise<void>;
  /**
   * Begins an upload that may arrive in pieces, over restarts. Of an archive, `path` is the name. Throws `insufficient_storage`, what `commit` would
   * throw by now, and `rate_limited` if too many are unfinished. A sixth archive of an account replaces the one that was used longest ago.
   */
  createUpload(
    request: UploadOwner & WriteConditions & { path: string; sizeBytes: number },
  ): Promise<{ uploadId: string }>;
  /** Throws `file_not_found` for one that is unknown, of another owner, was refused at its end, or is older than a day. */
  upload(request: UploadOwner & { uploadId: string }): Promise<UploadState>;
  /**
   * Adds bytes from a local socket and keeps what has arrived, also if it ends early. The last byte commits a file of an instance, with the errors of
   * `commit`, which discard the upload. Resolves to the new offset. Throws `already_in_progress` while another piece arrives.
   */
  append(
    request: UploadOwner & { uploadId: string; offset: number; socket: string },
    signal: AbortSignal,
  ): Promise<{ offset: number }>;
  removeUpload(request: UploadOwner & { uploadId: string }): Promise<void>;
  /** Returns where an archive is, and keeps it for another day. Throws `invalid_state` until all of it has arrived. */
  uploadedArchive(request: { account: string; uploadId: string }): Promise<UploadedArchive>;
  /** Throws `file_exists`. The folder above must exist. */
  makeFolder(request: FilePlace): Promise<void>;
  /** Throws `file_exists`. */
  move(request: { instanceId: string; from: string; to: string }): Promise<void>;
  /** Copies a file, or a folder with all that is in it; links are copied as links. Throws `file_exists` and `insufficient_storage`. */
  copy(request: { instanceId: string; from: string; to: string }, signal: AbortSignal): Promise<void>;
  remove(request: FilePlace & { isPermanent: boolean; by: string }): Promise<DeletedFile>;
  /** The earlier versions of a file, newest first. It need not exist any more. */
  history(request: FilePlace): Promise<FileHistory>;
  /** Puts an earlier version in place of a file, whose present content becomes one. */
  restoreVersion(request: FilePlace & { version: string }): Promise<WrittenFile & { isNew: boolean }>;
  /** Newest first. */
  trash(instanceId: string): Promise<TrashEntry[]>;
  /** Puts something back where it was. Throws `file_not_found` and `file_exists`. */
  restoreFromTrash(request: { instanceId: string; trashId: string }): Promise<{ path: string }>;
  /** Deletes for good. Without an id: everything. */
  emptyTrash(request: { instanceId: string; trashId?: string | undefined }): Promise<void>;
}

const t = initTRPC.context<CallContext<FilesService>>().create({ transformer: asSent });
const id = z.string().max(256);
const path = z.string().max(16_384);
const place = z.object({ instanceId: id, path });
const fromTo = z.object({ instanceId: id, from: path, to: path });
const offset = z.int().min(-1);
const uploadOwner = z.union([z.object({ instanceId: id }), z.object({ account: id })]);
const ofUpload = z.object({ uploadId: z.string().regex(UPLOAD_ID) });
const conditions = { ifMatch: z.string().optional(), isNew: z.boolean().optional() };

const ownRouter = t.router({
  list: t.procedure
    .input(
      place.extend({
        sort: z.enum(FILE_SORTS),
        order: z.enum(SORT_ORDERS),
        limit: z.int().min(1).max(MOST_FILE_ENTRIES),
        cursor: z.string().max(16_384).optional(),
      }),
    )
    .query(({ ctx, input, signal }) => ctx.service.list(input, signal!)),
  search: t.procedure
    .input(
      place.extend({
        name: z.string().max(1_000).optional(),
        contains: z.string().max(1_000).optional(),
        limit: z.int().min(1).max(MOST_FILE_ENTRIES),
        isMasked: z.boolean(),
      }),
    )
    .query(({ ctx, input, signal }) => ctx.service.search(input, signal!)),
  usage: t.procedure.input(place).query(({ ctx, input, signal }) => ctx.service.usage(input, signal!)),
  worlds: t.procedure.input(id).query(({ ctx, input, signal }) => ctx.service.worlds(input, signal!)),
  history: t.procedure.input(place).query(({ ctx, input }) => ctx.service.history(input)),
  restoreVersion: t.procedure
    .input(place.extend({ version: id }))
    .mutation(({ ctx, input }) => ctx.service.restoreVersion(input)),
  look: t.procedure.input(place.extend({ version: id.optional() })).query(({ ctx, input }) => ctx.service.look(input)),
  read: t.procedure
    .input(
      place.extend({
        version: id.optional(),
        start: offset,
        end: offset,
        etag: z.string(),
        socket: z.string(),
        isMasked: z.boolean(),
      }),
    )
    .mutation(({ ctx, input, signal }) => ctx.service.read(input, signal!)),
  stage: t.procedure
    .input(z.object({ instanceId: id, socket: z.string(), sizeBytes: z.int().min(0).optional() }))
    .mutation(({ ctx, input, signal }) => ctx.service.stage(input, ctx.peer, signal!)),
  commit: t.procedure
    .input(place.extend({ stagedId: id, ...conditions }))
    .mutation(({ ctx, input }) => ctx.service.commit(input)),
  discard: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.discard(input)),
  createUpload: t.procedure
    .input(z.object({ path, sizeBytes: z.int().min(0), ...conditions }).and(uploadOwner))
    .mutation(({ ctx, input }) => ctx.service.createUpload(input)),
  upload: t.procedure.input(ofUpload.and(uploadOwner)).query(({ ctx, input }) => ctx.service.upload(input)),
  append: t.procedure
    .input(ofUpload.extend({ offset: z.int().min(0), socket: z.string() }).and(uploadOwner))
    .mutation(({ ctx, input, signal }) => ctx.service.append(input, signal!)),
  removeUpload: t.procedure
    .input(ofUpload.and(uploadOwner))
    .mutation(({ ctx, input }) => ctx.service.removeUpload(input)),
  uploadedArchive: t.procedure
    .input(ofUpload.extend({ account: id }))
    .mutation(({ ctx, input }) => ctx.service.uploadedArchive(input)),
  makeFolder: t.procedure.input(place).mutation(({ ctx, input }) => ctx.service.makeFolder(input)),
  move: t.procedure.input(fromTo).mutation(({ ctx, input }) => ctx.service.move(input)),
  copy: t.procedure.input(fromTo).mutation(({ ctx, input, signal }) => ctx.service.copy(input, signal!)),
  remove: t.procedure
    .input(place.extend({ isPermanent: z.boolean(), by: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.remove(input)),
  trash: t.procedure.input(id).query(({ ctx, input }) => ctx.service.trash(input)),
  restoreFromTrash: t.procedure
    .input(z.object({ instanceId: id, trashId: id }))
    .mutation(({ ctx, input }) => ctx.service.restoreFromTrash(input)),
  emptyTrash: t.procedure
    .input(z.object({ instanceId: id, trashId: id.optional() }))
    .mutation(({ ctx, input }) => ctx.service.emptyTrash(input)),
});

export const filesRouter = t.mergeRouters(ownRouter, fileHandlesRouter);
export type FilesRouter = typeof filesRouter;
