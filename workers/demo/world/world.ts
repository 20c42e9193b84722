import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AVERAGE_CHUNK_BYTES, type ChunkPosition, generateBlocks, packChunk, unpackChunk } from './chunk.ts';
import { DEFAULT_GAMERULES } from './default-gamerules.ts';
import { readLevelData, writeLevelData } from './level-dat.ts';
import { Regions } from './regions.ts';

export interface WorldOptions {
  readonly folder: string;
  /** `level-seed`, for a new world. */
  readonly levelSeed: string;
  /** The approximate size of a new world. */
  readonly megabytes: number;
  /** Minimum duration of a save, in milliseconds. */
  readonly slowSaveMs: number;
  /** Called for chunks that cannot be read and for background saves that fail. */
  readonly onProblem: (message: string) => void;
}

/** For `demo world`. */
export interface WorldStats {
  readonly chunks: number;
  readonly regions: number;
  readonly changes: number;
  readonly unsaved: number;
}

/** A world of chunks that change in memory. They are written only by saves: automatic ones unless turned off, on request, and at the end. */
export class World {
  /** `save-off` and `save-on`. Affects automatic saves only. */
  autosave = true;
  readonly seed: bigint;
  /** By name, as texts. Saved with the world. */
  readonly gamerules: Map<string, string>;
  readonly #options: WorldOptions;
  readonly #lock: FileHandle;
  readonly #regions: Regions;
  readonly #chunks: ChunkState[] = [];
  readonly #unsaved = new Set<ChunkState>();
  /** 0 until the world is open, because slow saves must not make the start slow. */
  #slowSaveMs = 0;
  #changes = 0;
  #savedChunks = 0;
  #savedGenerations = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    options: WorldOptions,
    { seed, gamerules, lock, regions }: Pick<World, 'seed' | 'gamerules'> & { lock: FileHandle; regions: Regions },
  ) {
    this.#options = options;
    this.seed = seed;
    this.gamerules = gamerules;
    this.#lock = lock;
    this.#regions = regions;
  }

  /** Takes the session lock, then loads the world or creates a new one, which is on the disk when this resolves. */
  static async open(options: WorldOptions): Promise<World> {
    const { folder, levelSeed, megabytes } = options;
    await mkdir(folder, { recursive: true });
    const lock = await holdSessionLock(folder);
    const level = await readLevelData(folder);
    const regions = await Regions.in(folder);
    const seed = level?.seed ?? seedFrom(levelSeed, Math.random);
    const gamerules = new Map(Object.entries({ ...DEFAULT_GAMERULES, ...level?.gamerules }));
    const world = new World(options, { seed, gamerules, lock, regions });
    const damaged: ChunkPosition[] = [];
    for (const position of await regions.positions()) if (!(await world.#load(position))) damaged.push(position);
    for (const position of damaged) world.#create(position);
    if (level === undefined && world.#chunks.length === 0) world.#createAll(megabytes);
    await world.save({ flush: true });
    world.#slowSaveMs = options.slowSaveMs;
    return world;
  }

  get name(): string {
    return basename(this.#options.folder);
  }

  get stats(): WorldStats {
    return {
      chunks: this.#chunks.length,
      regions: this.#regions.count,
      changes: this.#changes,
      unsaved: this.#unsaved.size,
    };
  }

  /** Changes one chunk, in memory. */
  change(): void {
    const chunk = this.#chunks[Math.floor(Math.random() * this.#chunks.length)];
    if (chunk) this.#touch(chunk);
  }

  /**
   * Saves all changes. As in vanilla, this resolves before they are written, so a copy taken right after it may be torn. With `flush`, it
   * resolves when these and all earlier changes are on the disk.
   */
  async save({ flush }: { flush: boolean }): Promise<void> {
    const batch = [...this.#unsaved].map((chunk) => ({ chunk, generation: chunk.generation }));
    this.#unsaved.clear();
    const written = this.#writing.then(() => this.#write(batch));
    this.#writing = written.catch((error: unknown) => {
      for (const { chunk } of batch) this.#unsaved.add(chunk);
      this.#options.onProblem(`Saving the world failed: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (flush || this.#slowSaveMs > 0) await written;
    if (flush) await this.#regions.flush();
  }

  /** Saves, even after `save-off`, and releases the session lock. */
  async close(): Promise<void> {
    await this.save({ flush: true });
    await this.#regions.close();
    await this.#lock.close();
  }

  #touch(chunk: ChunkState): void {
    this.#changes += 1;
    chunk.generation = this.#changes;
    this.#unsaved.add(chunk);
  }

  #createAll(megabytes: number): void {
    const side = Math.max(2, Math.round(Math.sqrt((megabytes * 2 ** 20) / AVERAGE_CHUNK_BYTES)));
    const first = -Math.floor(side / 2);
    for (let index = 0; index < side * side; index += 1) {
      this.#create({ x: first + (index % side), z: first + Math.floor(index / side) });
    }
  }

  #create(position: ChunkPosition): void {
    const chunk = { ...position, generation: 0, savedGeneration: 0 };
    this.#chunks.push(chunk);
    this.#touch(chunk);
  }

  /** Loads a chunk. Returns false if it is damaged. */
  async #load({ x, z }: ChunkPosition): Promise<boolean> {
    const packed = await (await this.#regions.of({ x, z })).read({ x, z });
    const chunk = packed && (await unpackChunk(packed).catch(() => undefined));
    const whole = chunk?.blocks.equals(generateBlocks(this.seed, { x, z }, chunk.generation)) ?? false;
    if (!chunk || !whole || chunk.x !== x || chunk.z !== z) {
      this.#options.onProblem(`Couldn't load chunk [${x}, ${z}]: it is damaged and will be generated again`);
      return false;
    }
    const { generation } = chunk;
    this.#chunks.push({ x, z, generation, savedGeneration: generation });
    this.#changes = Math.max(this.#changes, generation);
    this.#savedChunks += 1;
    this.#savedGenerations += generation;
    return true;
  }

  async #write(batch: readonly { chunk: ChunkState; generation: number }[]): Promise<void> {
    const half = Math.ceil(batch.length / 2);
    await this.#writeChunks(batch.slice(0, half));
    // A slow save pauses in its middle, when the files on the disk do not match.
    if (this.#slowSaveMs > 0) await sleep(this.#slowSaveMs);
    await this.#writeChunks(batch.slice(half));
    await writeLevelData(this.#options.folder, {
      name: this.name,
      seed: this.seed,
      savedAt: Date.now(),
      chunks: this.#savedChunks,
      generations: this.#savedGenerations,
      gamerules: Object.fromEntries(this.gamerules),
    });
  }

  async #writeChunks(batch: readonly { chunk: ChunkState; generation: number }[]): Promise<void> {
    for (const { chunk, generation } of batch) {
      const region = await this.#regions.of(chunk);
      const blocks = generateBlocks(this.seed, chunk, generation);
      const packed = await packChunk({ x: chunk.x, z: chunk.z, generation, blocks });
      await region.write(chunk, packed, Math.floor(Date.now() / 1000));
      if (chunk.savedGeneration === 0) this.#savedChunks += 1;
      this.#savedGenerations += generation - chunk.savedGeneration;
      chunk.savedGeneration = generation;
    }
  }
}

interface ChunkState extends ChunkPosition {
  generation: number;
  /** The generation on the disk; 0 if there is none. */
  savedGeneration: number;
}

/**
 * Returns the seed for a `level-seed`: a number unchanged, other text by Java's `String.hashCode`, and a random one if it is empty.
 * `random` returns a number from 0 up to, but not including, 1.
 */
function seedFrom(levelSeed: string, random: () => number): bigint {
  if (levelSeed === '') return BigInt(Math.floor((random() - 0.5) * 2 ** 53));
  if (/^[+-]?\d{1,19}$/.test(levelSeed)) return BigInt.asIntN(64, BigInt(levelSeed.replace('+', '')));
  let hash = 0;
  for (let index = 0; index < levelSeed.length; index += 1) {
    hash = (Math.imul(31, hash) + levelSeed.charCodeAt(index)) | 0;
  }
  return BigInt(hash);
}

/** The content of vanilla's `session.lock` since 1.16. */
const SNOWMAN = Buffer.from('☃', 'utf8');

/** Writes `session.lock` and keeps it open while the world is in use. Like vanilla's, the file remains after the server has stopped. */
async function holdSessionLock(worldFolder: string): Promise<FileHandle> {
  const handle = await open(join(worldFolder, 'session.lock'), 'w');
  await handle.write(SNOWMAN);
  return handle;
}
