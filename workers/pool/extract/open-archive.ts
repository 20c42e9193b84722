import type { FileHandle } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { WindowedReader } from '../reading/windowed-reader.ts';
import { type PlannedEntry, type PlanRules, plan } from './archive-plan.ts';
import { damaged } from './damaged.ts';
import { type OnChunk, readContent } from './entry-content.ts';

/** A ZIP whose directory has been read and checked as a whole. */
export interface OpenArchive {
  readonly entries: readonly PlannedEntry[];
  /** Sum of the files' sizes, bytes. */
  readonly bytes: number;
  /** Gives an entry's content piece by piece. Throws `backup_damaged` unless it is as long as announced and its CRC-32 is right. */
  read(entry: PlannedEntry, onChunk: OnChunk): Promise<void>;
}

/** Names and sizes are checked by archive-plan.ts, which can say what is wrong with which. */
const YAUZL = { autoClose: false, decodeStrings: false, validateEntrySizes: false };

/** For an archive whose hash is the catalogue's: made here, so names and links may be whatever this system allows. */
export function ownArchiveRules(sourceBytes: number): Omit<PlanRules, 'archiveBytes'> {
  return { alphabet: 'native', platform: process.platform, links: 'allowed', maxBytes: sourceBytes };
}

/** For an archive from anywhere: names that any system allows, no links. */
export function strangersRules(): Omit<PlanRules, 'archiveBytes'> {
  return { alphabet: 'portable', platform: process.platform, links: 'refused', maxBytes: Number.MAX_SAFE_INTEGER };
}

/** Reads and checks the directory of an archive. The handle stays the caller's. Throws `backup_damaged`. */
export async function openArchive(handle: FileHandle, rules: Omit<PlanRules, 'archiveBytes'>): Promise<OpenArchive> {
  const { size } = await handle.stat();
  const reader = new WindowedReader(handle.fd);
  const zip = await fromRandomAccessReaderPromise(reader, size, YAUZL).catch((error: unknown) => {
    throw damaged('It is not a whole ZIP file.', error);
  });
  const entries = plan(await allEntries(zip), { ...rules, archiveBytes: size });
  return {
    entries,
    bytes: entries.reduce((sum, { kind, entry }) => sum + (kind === 'file' ? entry.uncompressedSize : 0), 0),
    async read({ entry, name }, onChunk) {
      const start = await contentStart(zip, entry, name);
      if (start + entry.compressedSize > size) throw damaged(`"${name}" is cut off.`);
      await readContent({ handle, start, entry, name }, onChunk);
    },
  };
}

async function allEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return entries;
  } catch (error) {
    throw damaged("The ZIP file's directory is damaged.", error);
  }
}

/** The header before the content must tell the same story as the directory: readers that trust the one or the other must agree. */
async function contentStart(zip: ZipFile, entry: Entry, name: string): Promise<number> {
  const header = await zip.readLocalFileHeaderPromise(entry).catch((error: unknown) => {
    throw damaged(`The header of "${name}" is damaged.`, error);
  });
  if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod)
    throw damaged(`The header of "${name}" contradicts the archive's directory.`);
  return header.fileDataStart;
}
