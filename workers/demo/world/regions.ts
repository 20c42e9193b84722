import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkPosition } from './chunk.ts';
import { RegionFile, regionFileName } from './region-file.ts';

/** The region files of a world. Each is opened on first use and kept open, as vanilla does with the last 256. */
export class Regions {
  readonly #folder: string;
  readonly #open = new Map<string, RegionFile>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async in(worldFolder: string): Promise<Regions> {
    const folder = join(worldFolder, 'region');
    await mkdir(folder, { recursive: true });
    return new Regions(folder);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Returns the region file of a chunk. */
  async of(position: ChunkPosition): Promise<RegionFile> {
    const name = regionFileName(position);
    const known = this.#open.get(name);
    if (known) return known;
    const region = await RegionFile.open(join(this.#folder, name));
    this.#open.set(name, region);
    return region;
  }

  /** Returns the positions of all chunks in the folder. */
  async positions(): Promise<ChunkPosition[]> {
    const found: ChunkPosition[] = [];
    for (const name of await readdir(this.#folder)) {
      const match = /^r\.(-?\d+)\.(-?\d+)\.mca$/.exec(name);
      if (!match) continue;
      const corner = { x: Number(match[1]) * 32, z: Number(match[2]) * 32 };
      const region = await this.of(corner);
      found.push(...region.positions().map(({ x, z }) => ({ x: corner.x + x, z: corner.z + z })));
    }
    return found;
  }

  /** Resolves once everything written is on the disk. */
  async flush(): Promise<void> {
    for (const region of this.#open.values()) await region.flush();
  }

  async close(): Promise<void> {
    for (const region of this.#open.values()) await region.close();
    this.#open.clear();
  }
}
