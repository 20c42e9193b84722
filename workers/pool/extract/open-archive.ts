import type { FileHandle } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type ByteSource, fileSource } from '../reading/byte-source.ts';
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
export const MOST_ENTRIES = 500_000;

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
  const source = await fileSource(handle);
  const zip = await openZip(source);
  if (zip.entryCount > rules.maxEntries)
    throw damaged(
      `It has ${grouped(zip.entryCount)} entries, more than the ${grouped(rules.maxEntries)} that can be unpacked. Unpack it yourself and use the folder.`,
    );
  const entries = plan(await allEntries(zip), { ...rules, archiveBytes: source.size });
  return {
    entries,
    bytes: entries.reduce((sum, { kind, entry }) => sum + (kind === 'file' ? entry.uncompressedSize : 0), 0),
    read: (entry, onChunk) => readEntry({ zip, source }, entry, onChunk),
  };
}

export interface OpenZip {
  zip: ZipFile;
  source: ByteSource;
}

/** Finds the central directory of a ZIP. Its entries are not checked yet. Throws `backup_damaged`. */
export async function openZip(source: ByteSource): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(source.reader(), source.size, YAUZL);
  } catch (error) {
    throw notFromSource(error) ?? damaged('It is not a complete ZIP file.', error);
  }
}

/** Reads an entry's content piece by piece. Throws `backup_damaged` if its length or CRC-32 is wrong. */
export async function readEntry(
  { zip, source }: OpenZip,
  { entry, name }: PlannedEntry,
  onChunk: OnChunk,
): Promise<void> {
  const start = await contentStart(zip, entry, name);
  if (start + entry.compressedSize > source.size) throw damaged(`"${name}" ends too early.`);
  await readContent({ source, start, entry, name }, onChunk);
}

async function allEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of directoryOf(zip)) entries.push(entry);
  return entries;
}

/** Yields the entries as they are, unchecked. */
export async function* directoryOf(zip: ZipFile): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw notFromSource(error) ?? damaged("The ZIP file's directory is damaged.", error);
  }
}

/** The local header must agree with the central directory, or readers that trust one or the other would see different files. */
async function contentStart(zip: ZipFile, entry: Entry, name: string): Promise<number> {
  const header = await zip.readLocalFileHeaderPromise(entry).catch((error: unknown) => {
    throw notFromSource(error) ?? damaged(`The header of "${name}" is damaged.`, error);
  });
  if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod)
    throw damaged(`The header of "${name}" contradicts the archive's directory.`);
  return header.fileDataStart;
}

/** A store that cannot be read says nothing about the archive. */
function notFromSource(error: unknown): GamekeeperError | undefined {
  return error instanceof GamekeeperError ? error : undefined;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
