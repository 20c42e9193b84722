import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import type { FileKind } from '../schema/files.ts';
import { asSent, type CallContext, type Peer } from './call.ts';

/** The most bytes of one call. */
const MOST_HANDLE_BYTES = 1024 * 1024;

/** What `lstat` tells about an entry. */
export interface FileAttributes {
  kind: FileKind;
  sizeBytes: number;
  /** The last nine bits: who may read, write and execute. */
  mode: number;
  uid: number;
  gid: number;
  /** Seconds since the epoch. */
  accessedAt: number;
  modifiedAt: number;
}

export interface AttributeChange {
  sizeBytes?: number | undefined;
  /** Only the last nine bits are used. */
  mode?: number | undefined;
  /** Seconds since the epoch. */
  times?: { accessedAt: number; modifiedAt: number } | undefined;
}

export interface OpenHandle {
  instanceId: string;
  path: string;
  read: boolean;
  /** Writes go to a copy, which replaces the file when the handle is closed. */
  write: boolean;
  create: boolean;
  /** Throws `file_exists` if there is something. */
  exclusive: boolean;
  truncate: boolean;
  /** Reads hide secrets, at the same length. Not together with `write`. */
  isMasked: boolean;
}

export interface DiskSpace {
  blockBytes: number;
  blocks: number;
  freeBlocks: number;
  availableBlocks: number;
  files: number;
  freeFiles: number;
}

/**
 * Files and folders that stay open, for SFTP. A name is as in shared/node/files/file-name.ts. Handles belong to the caller's connection: when it
 * ends, they are closed, and nothing that was written through them is seen. Errors as in `FilesService`.
 */
export interface FileHandles {
  openFolder(request: { instanceId: string; path: string }, peer: Peer): Promise<{ handle: number }>;
  /** Returns the next entries of a folder, none at its end. */
  nextEntries(
    request: { handle: number; limit: number },
    peer: Peer,
  ): Promise<{ name: string; attributes: FileAttributes }[]>;
  openHandle(request: OpenHandle, peer: Peer): Promise<{ handle: number; sizeBytes: number; isNew: boolean }>;
  /** Returns fewer bytes only at the end of the file. */
  readHandle(request: { handle: number; offset: number; length: number }, peer: Peer): Promise<Uint8Array>;
  /** Throws `insufficient_storage`. */
  writeHandle(request: { handle: number; offset: number; bytes: Uint8Array }, peer: Peer): Promise<void>;
  handleAttributes(handle: number, peer: Peer): FileAttributes;
  setHandleAttributes(request: { handle: number; change: AttributeChange }, peer: Peer): Promise<void>;
  syncHandle(handle: number, peer: Peer): Promise<void>;
  /**
   * With `isWhole`, publishes what was written, at once, and returns whether anything was. Throws `precondition_failed` if parts of a file were
   * changed that is another one by now.
   */
  closeHandle(request: { handle: number; isWhole: boolean }, peer: Peer): Promise<{ isWritten: boolean }>;
  /** Throws `file_not_found`. */
  attributes(request: { instanceId: string; path: string }): Promise<FileAttributes>;
  /** Of a file or folder, not of a link. */
  setAttributes(request: { instanceId: string; path: string; change: AttributeChange }): Promise<void>;
  readLink(request: { instanceId: string; path: string }): Promise<string>;
  /** As `rename` of the system: replaces a file, or an empty folder. */
  replace(request: { instanceId: string; from: string; to: string }): Promise<void>;
  /** Moves a file or a link to the trash. */
  removeFile(request: { instanceId: string; path: string; by: string }): Promise<void>;
  /** Throws `file_exists` for a folder that is not empty. */
  removeFolder(request: { instanceId: string; path: string }): Promise<void>;
  diskSpace(instanceId: string): Promise<DiskSpace>;
}

const t = initTRPC.context<CallContext<FileHandles>>().create({ transformer: asSent });
const id = z.string().max(256);
const path = z.string().max(16_384);
const place = z.object({ instanceId: id, path });
const handle = z.int();
const offset = z.int().min(0);
const time = z.int().min(0);
const change = z.object({
  sizeBytes: offset.optional(),
  mode: z.int().min(0).optional(),
  times: z.object({ accessedAt: time, modifiedAt: time }).optional(),
});
const flag = z.boolean();
const opening = place.extend({
  read: flag,
  write: flag,
  create: flag,
  exclusive: flag,
  truncate: flag,
  isMasked: flag,
});
const part = z.object({ handle, offset, length: z.int().min(0).max(MOST_HANDLE_BYTES) });
const written = z.object({
  handle,
  offset,
  bytes: z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array && bytes.length <= MOST_HANDLE_BYTES),
});

export const fileHandlesRouter = t.router({
  openFolder: t.procedure.input(place).mutation(({ ctx, input }) => ctx.service.openFolder(input, ctx.peer)),
  nextEntries: t.procedure
    .input(z.object({ handle, limit: z.int().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => ctx.service.nextEntries(input, ctx.peer)),
  openHandle: t.procedure.input(opening).mutation(({ ctx, input }) => ctx.service.openHandle(input, ctx.peer)),
  readHandle: t.procedure.input(part).mutation(({ ctx, input }) => ctx.service.readHandle(input, ctx.peer)),
  writeHandle: t.procedure.input(written).mutation(({ ctx, input }) => ctx.service.writeHandle(input, ctx.peer)),
  handleAttributes: t.procedure
    .input(handle)
    .mutation(({ ctx, input }) => ctx.service.handleAttributes(input, ctx.peer)),
  setHandleAttributes: t.procedure
    .input(z.object({ handle, change }))
    .mutation(({ ctx, input }) => ctx.service.setHandleAttributes(input, ctx.peer)),
  syncHandle: t.procedure.input(handle).mutation(({ ctx, input }) => ctx.service.syncHandle(input, ctx.peer)),
  closeHandle: t.procedure
    .input(z.object({ handle, isWhole: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.service.closeHandle(input, ctx.peer)),
  attributes: t.procedure.input(place).query(({ ctx, input }) => ctx.service.attributes(input)),
  setAttributes: t.procedure
    .input(place.extend({ change }))
    .mutation(({ ctx, input }) => ctx.service.setAttributes(input)),
  readLink: t.procedure.input(place).query(({ ctx, input }) => ctx.service.readLink(input)),
  replace: t.procedure
    .input(z.object({ instanceId: id, from: path, to: path }))
    .mutation(({ ctx, input }) => ctx.service.replace(input)),
  removeFile: t.procedure
    .input(place.extend({ by: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.removeFile(input)),
  removeFolder: t.procedure.input(place).mutation(({ ctx, input }) => ctx.service.removeFolder(input)),
  diskSpace: t.procedure.input(id).query(({ ctx, input }) => ctx.service.diskSpace(input)),
});
