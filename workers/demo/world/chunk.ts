import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { bytes, type Compound, decodeNbt, encodeNbt, int, long, string } from './nbt.ts';

/** In chunks. Both may be negative. */
export interface ChunkPosition {
  readonly x: number;
  readonly z: number;
}

/** The content of a chunk. Its generation grows with each change. */
export interface Chunk extends ChunkPosition {
  readonly generation: number;
  readonly blocks: Buffer;
}

/**
 * Returns the blocks of a chunk. They depend on seed, position and generation only, so a test can verify every byte. They do not compress, like
 * real chunks after zlib.
 */
export function generateBlocks(seed: bigint, { x, z }: ChunkPosition, generation: number): Buffer {
  const name = `${seed}:${x}:${z}:${generation}`;
  const spread = createHash('sha256').update(name).digest().readUInt32BE() % BLOCK_BYTES_SPREAD;
  return createHash('shake256', { outputLength: LEAST_BLOCK_BYTES + spread })
    .update(name)
    .digest();
}

/** Returns the zlib-compressed NBT of a chunk, as stored in a region file. */
export async function packChunk({ x, z, generation, blocks }: Chunk): Promise<Buffer> {
  return compress(
    encodeNbt({
      DataVersion: int(DATA_VERSION),
      xPos: int(x),
      zPos: int(z),
      Status: string('minecraft:full'),
      LastUpdate: long(BigInt(generation)),
      Blocks: bytes(blocks),
    }),
    { level: 1 },
  );
}

/** The inverse of {@link packChunk}. Throws if the bytes are damaged or not a chunk. */
export async function unpackChunk(packed: Buffer): Promise<Chunk> {
  const nbt = decodeNbt(await decompress(packed));
  return { x: intOf(nbt, 'xPos'), z: intOf(nbt, 'zPos'), generation: longOf(nbt, 'LastUpdate'), blocks: bytesOf(nbt) };
}

/** The NBT data version of Minecraft 1.20.4, which the demo server claims to be. */
export const DATA_VERSION = 3700;

/** Between 2 and 14 KiB, or one to four sectors, so that chunks move within their file. */
const LEAST_BLOCK_BYTES = 2 * 1024;
const BLOCK_BYTES_SPREAD = 12 * 1024;

/** Average size of a chunk in its region file. */
export const AVERAGE_CHUNK_BYTES = LEAST_BLOCK_BYTES + BLOCK_BYTES_SPREAD / 2 + 2 * 1024;

const compress = promisify<Buffer, { level: number }, Buffer>(deflate);
const decompress = promisify<Buffer, Buffer>(inflate);

function intOf(nbt: Compound, name: string): number {
  const tag = nbt[name];
  if (tag?.type !== 'int') throw new RangeError(`The chunk has no ${name}`);
  return tag.value;
}

function longOf(nbt: Compound, name: string): number {
  const tag = nbt[name];
  if (tag?.type !== 'long') throw new RangeError(`The chunk has no ${name}`);
  return Number(tag.value);
}

function bytesOf(nbt: Compound): Buffer {
  const tag = nbt.Blocks;
  if (tag?.type !== 'bytes') throw new RangeError('The chunk has no blocks');
  return tag.value;
}
