import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FilesService, UploadState } from '../../../shared/contract/files.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace } from '../../../shared/node/files/disk-space.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { statAt } from '../folder/entry.ts';
import { explained, fileNotFound } from '../folder/file-error.ts';
import type { ServerFolders } from '../folder/server-folders.ts';
import { commitStaged, requireCommittable } from '../staging/staged-files.ts';
import { receiveFile } from '../transfer/transfer.ts';
import { discardUpload, partOf, readRecord, type UploadRecord, uploadIds, writeRecord } from './upload-records.ts';

/** Unfinished uploads of one instance. */
const MOST_UPLOADS = 100;
const KEPT_MS = 24 * 60 * 60 * 1_000;
const FLAGS = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** Uploads that arrive in pieces. Each is a file of bytes and a record beside it, in the instance's folder. */
export type Uploads = Pick<FilesService, 'createUpload' | 'upload' | 'append' | 'removeUpload'>;

interface Found {
  about: UploadRecord;
  /** How many bytes have arrived. */
  offset: number;
  /** The file is in its place. */
  isDone: boolean;
}

/** `now` in milliseconds since the epoch. */
export function createUploads({ folders, now }: { folders: ServerFolders; now: () => number }): Uploads {
  const arriving = new Set<string>();

  /** Throws `file_not_found`. */
  async function find(root: string, uploadId: string): Promise<Found> {
    const about = await readRecord(root, uploadId);
    if (!about || isExpired(about, now())) throw unknownUpload(uploadId);
    const stats = explained('', () => {
      using cursor = new TreeCursor(root);
      return statAt(cursor.placeOf(partOf(uploadId)));
    });
    if (stats?.isFile()) return { about, offset: Number(stats.size), isDone: false };
    if (about.isWhole) return { about, offset: about.sizeBytes, isDone: true };
    throw unknownUpload(uploadId);
  }

  /** Puts a complete upload in its place. An upload that is refused is gone: its client has to begin again. */
  async function finish(root: string, uploadId: string, about: UploadRecord): Promise<void> {
    await explained('', () => toDisk(root, uploadId));
    writeRecord(root, uploadId, { ...about, isWhole: true });
    try {
      await commitStaged({ root, own: partOf(uploadId) }, about);
    } catch (error) {
      await discardUpload(root, uploadId);
      throw error;
    }
  }

  /** Throws `already_in_progress`. */
  async function alone<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
    if (arriving.has(uploadId))
      throw new GamekeeperError('already_in_progress', 'Another piece of this upload is arriving.', {
        retryAfterSeconds: 1,
      });
    arriving.add(uploadId);
    try {
      return await work();
    } finally {
      arriving.delete(uploadId);
    }
  }

  return {
    async createUpload({ instanceId, ...wanted }) {
      const root = await folders.toChange(instanceId);
      requireCommittable(root, wanted);
      await makeRoom(root, now());
      await requireSpace(root, wanted.sizeBytes + RESERVED_BYTES, 'The upload, with what the game needs to save,');
      const uploadId = randomBytes(16).toString('hex');
      const about = { ...wanted, createdAt: new Date(now()).toISOString() };
      writeRecord(root, uploadId, about);
      explained('', () => {
        using cursor = new TreeCursor(root);
        closeSync(openSync(cursor.placeOf(partOf(uploadId)), FLAGS | constants.O_CREAT | constants.O_EXCL, 0o600));
      });
      if (wanted.sizeBytes === 0) await finish(root, uploadId, about);
      return { uploadId };
    },

    async upload({ instanceId, uploadId }): Promise<UploadState> {
      const root = await folders.toRead(instanceId);
      const { about, offset, isDone } = await find(root, uploadId);
      // A former process ended between the last byte and the commit.
      if (!isDone && offset === about.sizeBytes && !arriving.has(uploadId))
        await alone(uploadId, async () => finish(await folders.toChange(instanceId), uploadId, about));
      const { path, sizeBytes, createdAt } = about;
      return { path, sizeBytes, offset, createdAt };
    },

    async append({ instanceId, uploadId, offset, socket }, signal) {
      return await alone(uploadId, async () => {
        const root = await folders.toChange(instanceId);
        const { about, offset: present, isDone } = await find(root, uploadId);
        if (offset !== present || isDone)
          throw new GamekeeperError('precondition_failed', `${present} bytes have arrived, not ${offset}.`);
        const arrived = await receivePiece(root, { uploadId, offset, socket, most: about.sizeBytes }, signal);
        if (arrived === about.sizeBytes) await finish(await folders.toChange(instanceId), uploadId, about);
        return { offset: arrived };
      });
    },

    async removeUpload({ instanceId, uploadId }) {
      const root = await folders.toChange(instanceId);
      await find(root, uploadId);
      await discardUpload(root, uploadId);
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
  const descriptor = explained('', () => openSync(cursor.placeOf(partOf(uploadId)), FLAGS));
  try {
    await explained('', () =>
      receiveFile(descriptor, { socket, folder: root, start: offset, most: most - offset }, signal),
    );
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}

async function toDisk(root: string, uploadId: string): Promise<void> {
  using cursor = new TreeCursor(root);
  const part = await open(cursor.placeOf(partOf(uploadId)), FLAGS);
  try {
    await part.sync();
  } finally {
    await part.close();
  }
}

/** Removes the uploads that are a day old or broken. */
export async function expireUploads(root: string, now: number): Promise<void> {
  for (const uploadId of uploadIds(root)) {
    const about = await readRecord(root, uploadId);
    if (!about || isExpired(about, now)) await discardUpload(root, uploadId);
  }
}

/** Removes what has expired. Throws `rate_limited` if there are still too many. */
async function makeRoom(root: string, now: number): Promise<void> {
  await expireUploads(root, now);
  let unfinished = 0;
  for (const uploadId of uploadIds(root)) if (!(await readRecord(root, uploadId))?.isWhole) unfinished++;
  if (unfinished < MOST_UPLOADS) return;
  throw new GamekeeperError('rate_limited', `${MOST_UPLOADS} uploads to this server are unfinished.`, {
    resolution: 'Finish or cancel some of them. Those that are a day old are removed.',
    retryAfterSeconds: 60,
  });
}

function isExpired({ createdAt }: UploadRecord, now: number): boolean {
  return now - Date.parse(createdAt) > KEPT_MS;
}

function unknownUpload(uploadId: string): GamekeeperError {
  return fileNotFound(`upload ${uploadId}`);
}
