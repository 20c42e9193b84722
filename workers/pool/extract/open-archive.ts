import type { FileHandle } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { WindowedReader } from '../reading/windowed-reader.ts';
import { type PlannedEntry, type PlanRules, plan } from './archive-plan.ts';
import { damaged } from './damaged.ts';
import { type OnChunk, readContent } from './entry-content.ts';

export interface OpenArchive {
  readonly entries: readonly PlannedEntry[];
  readonly bytes: number;
  /** Reads an entry's content piece by piece. Throws `backup_damaged` if its length or CRC-32 is wrong. */
  read(entry: PlannedEntry, onChunk: OnChunk): Promise<void>;
}

/** archive-plan.ts checks names and sizes itself, with better errors. */
const YAUZL = { autoClose: false, decodeStrings: false, validateEntrySizes: false };

/** Entries of an archive from elsewhere: far more than servers have, and few enough to hold in memory. */
const MOST_ENTRIES = 500_000;

/** Rules for an archive whose hash is the catalogue's: names and links may be whatever this system allows. */
export function ownArchiveRules(sourceBytes: number): Omit<PlanRules, 'archiveBytes'> {
  const { platform } = process;
  return {
    alphabet: 'native',
    platform,
    links: 'allowed',
    maxBytes: sourceBytes,
    maxEntries: Number.POSITIVE_INFINITY,
  };
}

/** Rules for an archive from elsewhere: portable names, no links. */
export function strangersRules(): Omit<PlanRules, 'archiveBytes'> {
  const { platform } = process;
  return {
    alphabet: 'portable',
    platform,
    links: 'refused',
    maxBytes: Number.MAX_SAFE_INTEGER,
    maxEntries: MOST_ENTRIES,
  };
}

/** Reads and checks the central directory of an archive. The caller keeps the handle. Throws `backup_damaged`. */
export async function openArchive(handle: FileHandle, rules: Omit<PlanRules, 'archiveBytes'>): Promise<OpenArchive> {
  const { size } = await handle.stat();
  const reader = new WindowedReader(handle.fd);
  const zip = await fromRandomAccessReaderPromise(reader, size, YAUZL).catch((error: unknown) => {
    throw damaged('It is not a complete ZIP file.', error);
  });
  if (zip.entryCount > rules.maxEntries)
    throw damaged(
      `It has ${grouped(zip.entryCount)} entries, more than the ${grouped(rules.maxEntries)} that can be unpacked. Unpack it yourself and use the folder.`,
    );
  const entries = plan(await allEntries(zip), { ...rules, archiveBytes: size });
  return {
    entries,
    bytes: entries.reduce((sum, { kind, entry }) => sum + (kind === 'file' ? entry.uncompressedSize : 0), 0),
    async read({ entry, name }, onChunk) {
      const start = await contentStart(zip, entry, name);
      if (start + entry.compressedSize > size) throw damaged(`"${name}" ends too early.`);
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

/** The local header must agree with the central directory, or readers that trust one or the other would see different files. */
async function contentStart(zip: ZipFile, entry: Entry, name: string): Promise<number> {
  const header = await zip.readLocalFileHeaderPromise(entry).catch((error: unknown) => {
    throw damaged(`The header of "${name}" is damaged.`, error);
  });
  if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod)
    throw damaged(`The header of "${name}" contradicts the archive's directory.`);
  return header.fileDataStart;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
