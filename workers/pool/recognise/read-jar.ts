import { readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { WindowedReader } from '../reading/windowed-reader.ts';

/** The largest Forge of old has 12,000 entries. */
const MAX_ENTRIES = 100_000;
/** What we read of a jar are lists of names and versions. */
const MAX_CONTENT_BYTES = 1024 * 1024;
const DEFLATED = 8;
const YAUZL = { autoClose: false, decodeStrings: false, validateEntrySizes: false };

/**
 * Reads some small files of a jar that a stranger may have made: no more entries are looked at, and no more bytes read or inflated, than
 * any real server has. What is not there, or larger, is missing from the result; what is no ZIP at all gives nothing.
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
    // Damaged from here on: what was read until then counts.
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
  // The announced size may lie.
  return compressionMethod === DEFLATED
    ? inflateRawSync(bytes, { maxOutputLength: MAX_CONTENT_BYTES }).toString()
    : undefined;
}

/** A manifest's main section (JAR File Specification): keys and values, lines that go on joined. */
export function manifestOf(text: string | undefined): Record<string, string> {
  const [section = ''] = (text ?? '').replace(/\r\n?/g, '\n').split('\n\n', 1);
  const lines = section.replaceAll('\n ', '').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
}
