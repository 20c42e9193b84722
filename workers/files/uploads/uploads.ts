import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod';
import type { FilesService, UploadState } from '../../../shared/contract/files.ts';
import { OWN_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { requireSpace } from '../../../shared/node/files/disk-space.ts';
import { readServerFile } from '../../../shared/node/files/server-file.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { statAt } from '../folder/entry.ts';
import { explained, fileNotFound, requirePath } from '../folder/file-error.ts';
import type { ServerFolders } from '../folder/server-folders.ts';
import { commitFile } from '../staging/staged-files.ts';
import { RESERVED_BYTES } from '../staging/staging.ts';
import { receiveFile } from '../transfer/transfer.ts';

const UPLOADS = `${OWN_FOLDER}/uploads`;
/** Unfinished uploads of one instance. */
const MOST_UPLOADS = 100;
const KEPT_MS = 24 * 60 * 60 * 1_000;
const FLAGS = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** Uploads that arrive in pieces. Each is a file of bytes and a record beside it, in the instance's folder. */
export type Uploads = Pick<FilesService, 'createUpload' | 'upload' | 'append' | 'removeUpload'>;

/** The game can write there, so records are checked like any input. */
const record = z.object({
  path: z.string(),
  sizeBytes: z.int().min(0),
  createdAt: z.iso.datetime(),
  ifMatch: z.string().optional(),
  isNew: z.boolean().optional(),
  /** The file is in its place. Kept so that a client whose last answer was lost learns of it. */
  isDone: z.boolean().optional(),
});
type Record = z.infer<typeof record>;

/** `now` in milliseconds since the epoch. */
export function createUploads({ folders, now }: { folders: ServerFolders; now: () => number }): Uploads {
  const arriving = new Set<string>();

  /** Throws `file_not_found`. */
  async function find(root: string, uploadId: string): Promise<{ about: Record; offset: number }> {
    const about = await readRecord(root, uploadId);
    if (!about || now() - Date.parse(about.createdAt) > KEPT_MS) throw unknownUpload(uploadId);
    if (about.isDone) return { about, offset: about.sizeBytes };
    using cursor = new TreeCursor(root);
    const stats = statAt(cursor.placeOf(partOf(uploadId)));
    if (!stats?.isFile()) throw unknownUpload(uploadId);
    return { about, offset: Number(stats.size) };
  }

  /** Puts a complete upload in its place. An upload that is refused is gone: its client has to begin again. */
  async function finish(root: string, uploadId: string, about: Record): Promise<void> {
    try {
      await commitFile({ root, own: partOf(uploadId) }, about);
    } catch (error) {
      await discard(root, uploadId);
      throw error;
    }
    writeRecord(root, uploadId, { ...about, isDone: true });
  }

  return {
    async createUpload({ instanceId, ...wanted }) {
      requirePath(wanted.path, { isBelow: true });
      const root = await folders.toChange(instanceId);
      await makeRoom(root, now());
      await requireSpace(root, wanted.sizeBytes + RESERVED_BYTES, 'The upload, with what the game needs to save,');
      const uploadId = randomBytes(16).toString('hex');
      const about = { ...wanted, createdAt: new Date(now()).toISOString() };
      writeRecord(root, uploadId, about);
      explained(UPLOADS, () => {
        using cursor = new TreeCursor(root);
        closeSync(openSync(cursor.placeOf(partOf(uploadId)), FLAGS | constants.O_CREAT | constants.O_EXCL, 0o600));
      });
      if (wanted.sizeBytes === 0) await finish(root, uploadId, about);
      return { uploadId };
    },

    async upload({ instanceId, uploadId }): Promise<UploadState> {
      const root = await folders.toRead(instanceId);
      const { about, offset } = await find(root, uploadId);
      // This process ended between the last byte and the commit.
      const isStuck = !about.isDone && offset === about.sizeBytes && !arriving.has(uploadId);
      if (isStuck) await finish(await folders.toChange(instanceId), uploadId, about);
      const { path, sizeBytes, createdAt } = about;
      return { path, sizeBytes, offset, createdAt };
    },

    async append({ instanceId, uploadId, offset, socket }, signal) {
      if (arriving.has(uploadId))
        throw new GamekeeperError('already_in_progress', 'Another piece of this upload is arriving.', {
          retryAfterSeconds: 1,
        });
      arriving.add(uploadId);
      try {
        const root = await folders.toChange(instanceId);
        const { about, offset: present } = await find(root, uploadId);
        if (offset !== present || about.isDone)
          throw new GamekeeperError('precondition_failed', `${present} bytes have arrived, not ${offset}.`);
        const arrived = await receivePiece(root, { uploadId, offset, socket, most: about.sizeBytes }, signal);
        if (arrived === about.sizeBytes) await finish(await folders.toChange(instanceId), uploadId, about);
        return { offset: arrived };
      } finally {
        arriving.delete(uploadId);
      }
    },

    async removeUpload({ instanceId, uploadId }) {
      const root = await folders.toChange(instanceId);
      await find(root, uploadId);
      await discard(root, uploadId);
    },
  };
}

/** Keeps what has arrived when the socket ends early. Resolves to the new length. */
async function receivePiece(
  root: string,
  { uploadId, offset, socket, most }: { uploadId: string; offset: number; socket: string; most: number },
  signal: AbortSignal,
): Promise<number> {
  using cursor = new TreeCursor(root);
  const descriptor = explained(UPLOADS, () => openSync(cursor.placeOf(partOf(uploadId)), FLAGS));
  try {
    const hasSpace = () => requireSpace(root, RESERVED_BYTES, 'The game');
    await explained('', () =>
      receiveFile(descriptor, { socket, hasSpace, start: offset, most: most - offset }, signal),
    );
    fsyncSync(descriptor);
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what has expired. Throws `rate_limited` if there are still too many. */
async function makeRoom(root: string, now: number): Promise<void> {
  let unfinished = 0;
  for (const uploadId of idsIn(root)) {
    const about = await readRecord(root, uploadId);
    if (!about || now - Date.parse(about.createdAt) > KEPT_MS) await discard(root, uploadId);
    else if (!about.isDone) unfinished++;
  }
  if (unfinished < MOST_UPLOADS) return;
  throw new GamekeeperError('rate_limited', `${MOST_UPLOADS} uploads to this server are unfinished.`, {
    resolution: 'Finish or cancel some of them. Those that are a day old are removed.',
    retryAfterSeconds: 60,
  });
}

async function discard(root: string, uploadId: string): Promise<void> {
  using cursor = new TreeCursor(root);
  for (const own of [partOf(uploadId), recordOf(uploadId)]) await rm(cursor.placeOf(own), { force: true });
}

function writeRecord(root: string, uploadId: string, about: Record): void {
  explained(UPLOADS, () => {
    using cursor = new TreeCursor(root);
    const place = cursor.placeOf(recordOf(uploadId), () => undefined);
    const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(place, flag, 0o600);
    try {
      writeFileSync(descriptor, JSON.stringify(about));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Returns `undefined` for a record that is missing or broken. */
async function readRecord(root: string, uploadId: string): Promise<Record | undefined> {
  try {
    using cursor = new TreeCursor(root);
    const bytes = await readServerFile(cursor.placeOf(recordOf(uploadId)));
    const about = record.parse(JSON.parse(bytes?.toString() ?? ''));
    requirePath(about.path, { isBelow: true });
    return about;
  } catch {
    return undefined;
  }
}

function idsIn(root: string): string[] {
  try {
    using cursor = new TreeCursor(root);
    return readdirSync(cursor.enter(UPLOADS)).flatMap((name) => /^([0-9a-f]{32})\.json$/.exec(name)?.[1] ?? []);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return [];
    throw error;
  }
}

function partOf(uploadId: string): string {
  return `${UPLOADS}/${uploadId}.part`;
}

function recordOf(uploadId: string): string {
  return `${UPLOADS}/${uploadId}.json`;
}

function unknownUpload(uploadId: string): GamekeeperError {
  return fileNotFound(`upload ${uploadId}`);
}
