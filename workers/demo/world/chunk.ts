import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { bytes, type Compound, decodeNbt, encodeNbt, int, long, string } from './nbt.ts';

/** Where a chunk is, counted in chunks; both may be negative. */
export interface ChunkPosition {
  readonly x: number;
  readonly z: number;
}

/** What a chunk says about itself. Its generation grows each time the game changes it. */
export interface Chunk extends ChunkPosition {
  readonly generation: number;
  readonly blocks: Buffer;
}

/**
 * The blocks of a chunk. They follow from seed, place and generation alone, so that any reader can tell, byte by byte,
 * whether a chunk is whole; they do not compress, as real ones hardly do after zlib.
 */
export function generateBlocks(seed: bigint, { x, z }: ChunkPosition, generation: number): Buffer {
  const name = `${seed}:${x}:${z}:${generation}`;
  const spread = createHash('sha256').update(name).digest().readUInt32BE() % BLOCK_BYTES_SPREAD;
  return createHash('shake256', { outputLength: LEAST_BLOCK_BYTES + spread })
    .update(name)
    .digest();
}

/** The zlib-compressed NBT of a chunk, as it stands in a region file. */
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

/**
 * The inverse of {@link packChunk}.
 *
 * @throws if the bytes are damaged or hold something else
 */
export async function unpackChunk(packed: Buffer): Promise<Chunk> {
  const nbt = decodeNbt(await decompress(packed));
  return { x: intOf(nbt, 'xPos'), z: intOf(nbt, 'zPos'), generation: longOf(nbt, 'LastUpdate'), blocks: bytesOf(nbt) };
}

/** The NBT data version of Minecraft 1.20.4, which the demo server says it is. */
export const DATA_VERSION = 3700;

/** Between 2 and 14 KiB: one to four sectors, so that chunks move about in their file as they grow and shrink. */
const LEAST_BLOCK_BYTES = 2 * 1024;
const BLOCK_BYTES_SPREAD = 12 * 1024;

/** How many bytes a chunk takes in its region file on average. */
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
