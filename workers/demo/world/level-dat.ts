import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { DATA_VERSION } from './chunk.ts';
import { compound, decodeNbt, encodeNbt, int, long, string, type Tag } from './nbt.ts';

/** The content of `level.dat`. */
export interface LevelData {
  readonly name: string;
  readonly seed: bigint;
  /** When it was saved, in milliseconds since 1970. */
  readonly savedAt: number;
  /** Number of chunks in the region files, and the sum of their generations. In a torn copy, these do not match. */
  readonly chunks: number;
  readonly generations: number;
  /** As texts, as vanilla stores them before 1.21.11. */
  readonly gamerules: Readonly<Record<string, string>>;
}

/** Replaces `level.dat` atomically. */
export async function writeLevelData(worldFolder: string, level: LevelData): Promise<void> {
  const root = encodeNbt({
    Data: compound({
      version: int(ANVIL_VERSION),
      DataVersion: int(DATA_VERSION),
      LevelName: string(level.name),
      RandomSeed: long(level.seed),
      LastPlayed: long(BigInt(level.savedAt)),
      GameRules: compound(
        Object.fromEntries(Object.entries(level.gamerules).map(([name, value]) => [name, string(value)])),
      ),
      Demo: compound({ Chunks: int(level.chunks), Generations: long(BigInt(level.generations)) }),
    }),
  });
  const file = join(worldFolder, 'level.dat');
  await writeFile(`${file}_new`, await compress(root));
  await rename(`${file}_new`, file);
}

/** Returns the content of `level.dat`, or `undefined` if there is none. Throws if it is damaged or was not written by the demo server. */
export async function readLevelData(worldFolder: string): Promise<LevelData | undefined> {
  const packed = await readFile(join(worldFolder, 'level.dat')).catch((error: NodeJS.ErrnoException) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (packed === undefined) return undefined;
  const data = decodeNbt(await decompress(packed)).Data;
  const demo = data?.type === 'compound' ? data.value.Demo : undefined;
  if (data?.type !== 'compound' || demo?.type !== 'compound') throw notOurs();
  const { LevelName, RandomSeed, LastPlayed } = data.value;
  const { Chunks, Generations } = demo.value;
  if (LevelName?.type !== 'string' || RandomSeed?.type !== 'long' || LastPlayed?.type !== 'long') throw notOurs();
  if (Chunks?.type !== 'int' || Generations?.type !== 'long') throw notOurs();
  return {
    name: LevelName.value,
    seed: RandomSeed.value,
    savedAt: Number(LastPlayed.value),
    chunks: Chunks.value,
    generations: Number(Generations.value),
    gamerules: textsIn(data.value.GameRules),
  };
}

/** The version of the Anvil level format, the same since 1.2. */
const ANVIL_VERSION = 19_133;

const compress = promisify<Buffer, Buffer>(gzip);
const decompress = promisify<Buffer, Buffer>(gunzip);

function textsIn(tag: Tag | undefined): Record<string, string> {
  const entries = tag?.type === 'compound' ? Object.entries(tag.value) : [];
  return Object.fromEntries(entries.flatMap(([name, each]) => (each.type === 'string' ? [[name, each.value]] : [])));
}

function notOurs(): Error {
  return new Error('level.dat was not written by the demo server');
}
