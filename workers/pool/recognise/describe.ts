import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { DescribeTask, JarAbout, JarDescription } from '../task-types.ts';
import { aboutJar, DESCRIPTORS } from './jar-about.ts';

/** Larger than any mod. Larger files are not read. Bytes. */
const MAX_JAR_BYTES = 512 * 1024 ** 2;
/** Entries of a jar to look at; the largest mods have some 20,000. */
const MAX_ENTRIES = 100_000;
/** Descriptors have some kilobytes. Bytes, uncompressed. */
const MAX_DESCRIPTOR_BYTES = 256 * 1024;

/**
 * Hashes jars and reads their descriptors. The jars come from strangers: nothing is unpacked to disk, and all reads are bounded, whatever
 * sizes an archive announces. A damaged jar has a hash and no description.
 */
export async function describe({ files }: DescribeTask): Promise<JarDescription[]> {
  const descriptions: JarDescription[] = [];
  for (const file of files) descriptions.push(await describeOne(file));
  return descriptions;
}

async function describeOne(file: string): Promise<JarDescription> {
  let handle: FileHandle;
  try {
    // Opening a pipe would block forever.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return {};
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > MAX_JAR_BYTES) return {};
    const hash = createHash('sha512');
    await pipeline(handle.createReadStream({ start: 0, end: stats.size, autoClose: false }), hash);
    const about = await aboutOf(handle);
    return { sha512: hash.digest('hex'), ...(about && { about }) };
  } finally {
    await handle.close();
  }
}

async function aboutOf(handle: FileHandle): Promise<JarAbout | undefined> {
  try {
    const zip = await fromFdPromise(handle.fd, { autoClose: false, decodeStrings: false });
    return aboutJar(await readDescriptors(zip));
  } catch {
    // Not a complete ZIP. The server itself will complain about it.
    return undefined;
  }
}

/** The first entry of each name counts, as for Java's class loaders. */
async function readDescriptors(zip: ZipFile): Promise<Map<string, string>> {
  const found = new Map<string, Entry>();
  let seen = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString('latin1');
    if (DESCRIPTORS.includes(name) && !found.has(name)) found.set(name, entry);
    if (++seen === MAX_ENTRIES) break;
  }
  const texts = new Map<string, string>();
  for (const [name, entry] of found) texts.set(name, await readText(zip, entry));
  return texts;
}

async function readText(zip: ZipFile, entry: Entry): Promise<string> {
  if (!entry.canDecodeFileData()) return '';
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // The announced size cannot be trusted. Returning ends the stream.
    if (bytes > MAX_DESCRIPTOR_BYTES) return '';
  }
  return Buffer.concat(chunks).toString();
}
