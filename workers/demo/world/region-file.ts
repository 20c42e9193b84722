import { type FileHandle, open } from 'node:fs/promises';
import type { ChunkPosition } from './chunk.ts';

/**
 * A region file: 32 x 32 chunks in the Anvil format (minecraft.wiki, "Region file format"), in sectors of 4 KiB. The first sector contains the
 * position of each chunk, the second the time of each save, the others the chunks, each with its length and compression.
 */
export class RegionFile {
  readonly #handle: FileHandle;
  readonly #header: Buffer;
  readonly #usedSectors: boolean[] = [true, true];

  private constructor(handle: FileHandle, header: Buffer, fileBytes: number) {
    this.#handle = handle;
    this.#header = header;
    for (let index = 0; index < CHUNKS; index += 1) {
      const range = this.#location(index);
      // A damaged entry would point to other data, which a later write would overwrite. Vanilla drops it too.
      const sound = range.firstSector >= 2 && range.firstSector * SECTOR_BYTES < fileBytes;
      if (sound) this.#mark(range, true);
      else this.#header.writeUInt32BE(0, index * 4);
    }
  }

  /** Opens a region file. Creates a missing one. */
  static async open(file: string): Promise<RegionFile> {
    const handle = await open(file, 'a').then(async (touched) => {
      await touched.close();
      return open(file, 'r+');
    });
    const header = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0);
    if (bytesRead < HEADER_BYTES) await handle.write(header, 0, HEADER_BYTES, 0);
    return new RegionFile(handle, header, (await handle.stat()).size);
  }

  /** Returns the positions, within the region, of the chunks in the file. */
  positions(): ChunkPosition[] {
    const indexes = Array.from({ length: CHUNKS }, (_, index) => index);
    const held = indexes.filter((index) => this.#location(index).sectors > 0);
    return held.map((index) => ({ x: index % 32, z: Math.floor(index / 32) }));
  }

  /** Returns the packed bytes of a chunk, or `undefined` if it is missing or invalid. */
  async read(position: ChunkPosition): Promise<Buffer | undefined> {
    const { firstSector, sectors } = this.#location(chunkIndex(position));
    if (sectors === 0) return undefined;
    const stored = Buffer.alloc(sectors * SECTOR_BYTES);
    const { bytesRead } = await this.#handle.read(stored, 0, stored.length, firstSector * SECTOR_BYTES);
    const length = bytesRead >= CHUNK_HEADER_BYTES ? stored.readUInt32BE(0) : 0;
    if (length < 1 || length + 4 > bytesRead || stored.readUInt8(4) !== ZLIB) return undefined;
    return stored.subarray(CHUNK_HEADER_BYTES, length + 4);
  }

  /**
   * Stores a chunk like vanilla since 1.15: first the data in free sectors, then the header, then the old sectors are free. A copy taken at the
   * same time may have an old header and new sectors, and is then torn.
   */
  async write(position: ChunkPosition, packed: Buffer, seconds: number): Promise<void> {
    const index = chunkIndex(position);
    const old = this.#location(index);
    const sectors = Math.ceil((CHUNK_HEADER_BYTES + packed.length) / SECTOR_BYTES);
    const firstSector = this.#findFree(sectors);
    const stored = Buffer.alloc(sectors * SECTOR_BYTES);
    stored.writeUInt32BE(packed.length + 1, 0);
    stored.writeUInt8(ZLIB, 4);
    packed.copy(stored, CHUNK_HEADER_BYTES);

    this.#mark({ firstSector, sectors }, true);
    await this.#handle.write(stored, 0, stored.length, firstSector * SECTOR_BYTES);
    this.#header.writeUInt32BE((firstSector << 8) | sectors, index * 4);
    this.#header.writeUInt32BE(seconds, SECTOR_BYTES + index * 4);
    await this.#handle.write(this.#header, 0, HEADER_BYTES, 0);
    this.#mark(old, false);
  }

  /** Resolves once everything written is on the disk. */
  async flush(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  #location(index: number): SectorRange {
    const entry = this.#header.readUInt32BE(index * 4);
    return { firstSector: entry >>> 8, sectors: entry & 0xff };
  }

  #mark({ firstSector, sectors }: SectorRange, used: boolean): void {
    for (let sector = firstSector; sector < firstSector + sectors; sector += 1) this.#usedSectors[sector] = used;
  }

  #findFree(sectors: number): number {
    let free = 0;
    for (let sector = 2; sector < this.#usedSectors.length; sector += 1) {
      free = this.#usedSectors[sector] ? 0 : free + 1;
      if (free === sectors) return sector - sectors + 1;
    }
    return this.#usedSectors.length - free;
  }
}

/** Returns the name of the region file of a chunk. */
export function regionFileName({ x, z }: ChunkPosition): string {
  return `r.${x >> 5}.${z >> 5}.mca`;
}

interface SectorRange {
  readonly firstSector: number;
  readonly sectors: number;
}

const CHUNKS = 32 * 32;
const SECTOR_BYTES = 4096;
const HEADER_BYTES = 2 * SECTOR_BYTES;
const CHUNK_HEADER_BYTES = 5;
/** Anvil's number for zlib. */
const ZLIB = 2;

function chunkIndex({ x, z }: ChunkPosition): number {
  return (x & 31) + (z & 31) * 32;
}
