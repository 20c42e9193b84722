import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { FilesService, UploadState } from '../../../shared/contract/files.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace } from '../../../shared/node/files/disk-space.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { statAt } from '../folder/entry.ts';
import { explained, fileNotFound } from '../folder/file-error.ts';
import { type CommitOptions, commitStaged, requireCommittable } from '../staging/staged-files.ts';
import { receiveFile } from '../transfer/transfer.ts';
import type { UploadPlace, UploadPlaces } from './upload-places.ts';
import { discardUpload, partOf, readRecord, type UploadRecord, uploadIds, writeRecord } from './upload-records.ts';

/** Unfinished uploads of one instance. */
const MOST_UPLOADS = 100;
/** Archives of one account that wait for their import, with those that arrive. */
const MOST_ARCHIVES = 5;
const KEPT_MS = 24 * 60 * 60 * 1_000;
const FLAGS = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** Uploads that arrive in pieces. Each is a file of bytes and a record beside it, in the instance's folder or in the one for imports. */
export type Uploads = Pick<FilesService, 'createUpload' | 'upload' | 'append' | 'removeUpload' | 'uploadedArchive'>;

/** What a client announces. */
type Wanted = CommitOptions & { sizeBytes: number };

interface Found {
  about: UploadRecord;
  /** How many bytes have arrived. */
  offset: number;
  /** The file is in its place, or all of an archive is there. */
  isDone: boolean;
}

/** `now` in milliseconds since the epoch. */
export function createUploads({ places, now }: { places: UploadPlaces; now: () => number }): Uploads {
  const arriving = new Set<string>();
  /** Many requests at once must not begin more than one may. */
  const beginnings = createMutex();

  /** Throws `file_not_found`. */
  async function find({ root, account }: UploadPlace, uploadId: string): Promise<Found> {
    const about = await readRecord(root, uploadId);
    if (!about || about.account !== account || isExpired(about, now())) throw unknownUpload(uploadId);
    const arrived = arrivedBytes(root, uploadId);
    const isArchive = account !== undefined;
    if (arrived !== undefined) return { about, offset: arrived, isDone: isArchive && about.isWhole === true };
    if (about.isWhole && !isArchive) return { about, offset: about.sizeBytes, isDone: true };
    throw unknownUpload(uploadId);
  }

  async function begin(place: UploadPlace, wanted: Wanted): Promise<{ uploadId: string }> {
    const { root, account } = place;
    await expireUploads(root, now());
    await requireSpace(root, wanted.sizeBytes + RESERVED_BYTES, 'The upload, with what the game needs to save,');
    await makeRoom(place, arriving);
    const uploadId = randomBytes(16).toString('hex');
    const about = { ...wanted, ...(account !== undefined && { account }), createdAt: new Date(now()).toISOString() };
    writeRecord(root, uploadId, about);
    explained('', () => {
      using cursor = new TreeCursor(root);
      closeSync(openSync(cursor.placeOf(partOf(uploadId)), FLAGS | constants.O_CREAT | constants.O_EXCL, 0o600));
    });
    if (wanted.sizeBytes === 0) await finish(place, uploadId, about);
    return { uploadId };
  }

  /** Puts a complete file in its place; an archive stays. An upload that is refused is gone: its client has to begin again. */
  async function finish({ root, account }: UploadPlace, uploadId: string, about: UploadRecord): Promise<void> {
    await explained('', () => toDisk(root, uploadId));
    writeRecord(root, uploadId, { ...about, isWhole: true });
    if (account !== undefined) return;
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
    async createUpload({ path: name, sizeBytes, ifMatch, isNew, ...owner }) {
      const place = await places.toChange(owner);
      const wanted = { path: name, sizeBytes, ifMatch, isNew };
      if (place.account !== undefined) return beginnings.run(() => begin(place, wanted));
      requireCommittable(place.root, wanted);
      return begin(place, wanted);
    },

    async upload({ uploadId, ...owner }): Promise<UploadState> {
      const { about, offset, isDone } = await find(await places.toRead(owner), uploadId);
      // A former process ended between the last byte and the commit.
      if (!isDone && offset === about.sizeBytes && !arriving.has(uploadId))
        await alone(uploadId, async () => finish(await places.toChange(owner), uploadId, about));
      const { path, sizeBytes, createdAt, usedAt = createdAt } = about;
      return { path, sizeBytes, offset, usedAt };
    },

    async append({ uploadId, offset, socket, ...owner }, signal) {
      return await alone(uploadId, async () => {
        const place = await places.toChange(owner);
        const { about, offset: present, isDone } = await find(place, uploadId);
        if (offset !== present || isDone)
          throw new GamekeeperError('precondition_failed', `${present} bytes have arrived, not ${offset}.`);
        const arrived = await receivePiece(place.root, { uploadId, offset, socket, most: about.sizeBytes }, signal);
        if (arrived === about.sizeBytes) await finish(await places.toChange(owner), uploadId, about);
        return { offset: arrived };
      });
    },

    async removeUpload({ uploadId, ...owner }) {
      const place = await places.toChange(owner);
      await find(place, uploadId);
      await discardUpload(place.root, uploadId);
    },

    async uploadedArchive({ uploadId, account }) {
      const place = await places.toRead({ account });
      const { about, offset, isDone } = await find(place, uploadId);
      if (!isDone)
        throw new GamekeeperError('invalid_state', `${offset} of ${about.sizeBytes} bytes have arrived.`, {
          resolution: 'Finish the upload first.',
        });
      writeRecord(place.root, uploadId, { ...about, usedAt: new Date(now()).toISOString() });
      return { file: path.join(place.root, partOf(uploadId)), name: about.path };
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

/** Returns how many bytes have arrived, or `undefined` if there is no file of them. */
function arrivedBytes(root: string, uploadId: string): number | undefined {
  return explained('', () => {
    using cursor = new TreeCursor(root);
    const stats = statAt(cursor.placeOf(partOf(uploadId)));
    return stats?.isFile() ? Number(stats.size) : undefined;
  });
}

/** Removes the uploads that are a day old or broken, and the rest of archives that were imported. */
export async function expireUploads(root: string, now: number): Promise<void> {
  for (const uploadId of uploadIds(root)) {
    const about = await readRecord(root, uploadId);
    const isImported = about?.account !== undefined && arrivedBytes(root, uploadId) === undefined;
    if (!about || isImported || isExpired(about, now)) await discardUpload(root, uploadId);
  }
}

/** For an archive, removes the one of its account that was used longest ago and does not arrive. Throws `rate_limited` if that is not enough. */
async function makeRoom({ root, account }: UploadPlace, arriving: ReadonlySet<string>): Promise<void> {
  const uploads = await Promise.all(
    uploadIds(root).map(async (uploadId) => ({ uploadId, about: await readRecord(root, uploadId) })),
  );
  if (account === undefined) {
    if (uploads.filter(({ about }) => !about?.isWhole).length < MOST_UPLOADS) return;
    throw tooMany(`${MOST_UPLOADS} uploads to this server are unfinished.`, 'Finish or cancel some of them.');
  }
  const archives = uploads.flatMap(({ uploadId, about }) =>
    about?.account === account ? [{ uploadId, usedAt: lastUse(about) }] : [],
  );
  if (archives.length < MOST_ARCHIVES) return;
  const [oldest] = archives
    .filter(({ uploadId }) => !arriving.has(uploadId))
    .toSorted((one, other) => one.usedAt - other.usedAt);
  if (!oldest) throw tooMany(`You are uploading ${MOST_ARCHIVES} archives.`, 'Wait until one of them has arrived.');
  await discardUpload(root, oldest.uploadId);
}

function tooMany(detail: string, resolution: string): GamekeeperError {
  return new GamekeeperError('rate_limited', detail, {
    resolution: `${resolution} Those that are a day old are removed.`,
    retryAfterSeconds: 60,
  });
}

function isExpired(about: UploadRecord, now: number): boolean {
  return now - lastUse(about) > KEPT_MS;
}

/** Returns milliseconds since the epoch. */
function lastUse({ createdAt, usedAt = createdAt }: UploadRecord): number {
  return Date.parse(usedAt);
}

function unknownUpload(uploadId: string): GamekeeperError {
  return fileNotFound(`upload ${uploadId}`);
}
