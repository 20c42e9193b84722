import { readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { WindowedReader } from '../reading/windowed-reader.ts';

/** Old versions of Forge have up to 12,000 entries. */
const MAX_ENTRIES = 100_000;
/** The files of interest are lists of names and versions. */
const MAX_CONTENT_BYTES = 1024 * 1024;
const DEFLATED = 8;
const YAUZL = { autoClose: false, decodeStrings: false, validateEntrySizes: false };

/**
 * Reads small files of a jar that may come from a stranger. Entries and bytes are limited to what real servers have. Files that are missing
 * or too large are not in the result; of a file that is no ZIP, none are.
 */
export async function readJar(
  { descriptor, size }: { descriptor: number; size: number },
  wanted: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  try {
    const zip = await fromRandomAccessReaderPromise(new WindowedReader(descriptor), size, YAUZL);
    let entries = 0;
    for await (const entry of zip.eachEntry()) {
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      if (wanted.includes(name) && !found.has(name)) {
        const content = await contentOf(zip, entry, descriptor);
        if (content !== undefined) found.set(name, content);
      }
      if (found.size === wanted.length || ++entries === MAX_ENTRIES) break;
    }
  } catch {
    // Damaged from here on; what was read so far counts.
  }
  return found;
}

async function contentOf(zip: ZipFile, entry: Entry, descriptor: number): Promise<string | undefined> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  if (Math.max(compressedSize, uncompressedSize) > MAX_CONTENT_BYTES) return undefined;
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.alloc(compressedSize);
  const length = readSync(descriptor, packed, 0, compressedSize, fileDataStart);
  const bytes = packed.subarray(0, length);
  if (compressionMethod === 0) return bytes.toString();
  // The announced size may be false.
  return compressionMethod === DEFLATED
    ? inflateRawSync(bytes, { maxOutputLength: MAX_CONTENT_BYTES }).toString()
    : undefined;
}

/** Parses a manifest's main section (JAR File Specification), joining continued lines. */
export function manifestOf(text: string | undefined): Record<string, string> {
  const [section = ''] = (text ?? '').replace(/\r\n?/g, '\n').split('\n\n', 1);
  const lines = section.replaceAll('\n ', '').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
}
