import {
  type BigIntStats,
  constants,
  createReadStream,
  createWriteStream,
  fchmodSync,
  fchownSync,
  futimesSync,
} from 'node:fs';
import { copyFile as clone, type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { BORROWED } from '../transfer/borrowed-descriptor.ts';
import { claimSpace } from './disk-reserve.ts';
import { type OpenedFile, openOrdinary } from './open-file.ts';

const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const PIECE_BYTES = 1024 * 1024;

/**
 * Copies an ordinary file to a place where nothing is, with mode, owner where allowed, and times. Where the file system can share the content of
 * two files, that takes no time and no space. `shown` is the path in messages. Throws `insufficient_storage`.
 */
export async function copyFile(
  { from, to, shown }: { from: string; to: string; shown: string },
  signal: AbortSignal,
): Promise<void> {
  using source = openOrdinary(from, shown);
  const copy = await open(bytesOf(to), NEW_FILE, 0o600);
  try {
    if (!(await isCloned(source, copy))) {
      using _space = await claimSpace(path.dirname(to), Number(source.stats.size), 'The copy');
      await copyBytes(source, copy, signal);
    }
    keepFacts(source.stats, copy);
  } finally {
    await copy.close();
  }
}

/** Linux: through the descriptors, since the places may lead elsewhere by now. Whatever prevents it, copying the bytes works or says why not. */
async function isCloned(source: OpenedFile, copy: FileHandle): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const [from, to] = [source.descriptor, copy.fd].map((descriptor) => `/proc/self/fd/${descriptor}`) as [
    string,
    string,
  ];
  return await clone(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );
}

async function copyBytes(source: OpenedFile, copy: FileHandle, signal: AbortSignal): Promise<void> {
  const reader = createReadStream('', { ...BORROWED, fd: source.descriptor, start: 0, highWaterMark: PIECE_BYTES });
  await pipeline(reader, createWriteStream('', { ...BORROWED, fd: copy.fd }), { signal });
}

function keepFacts({ uid, gid, mode, atimeMs, mtimeMs }: BigIntStats, { fd }: FileHandle): void {
  giveTo(ownerOf({ uid: Number(uid), gid: Number(gid) }), (...owner) => fchownSync(fd, ...owner));
  fchmodSync(fd, Number(mode) & 0o777); // without setuid
  futimesSync(fd, Number(atimeMs) / 1000, Number(mtimeMs) / 1000);
}
