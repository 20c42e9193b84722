import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** Bytes that may wait for the disk; four reads. */
const BUFFER_BYTES = 4 * 1024 * 1024;
/** Smaller chunks are merged: a ZIP header arrives in twenty pieces of a few bytes. */
const SMALL_BYTES = 32 * 1024;
/** Synced in the background: two gigabytes at the end would take longer, and stall the game server's writes. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024;

/** The archive file while it is written: hashes and writes every byte. Synced to disk at the end. */
export class ArchiveFile extends Writable {
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #size = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;

  /** Called with each chunk whose memory is free again. */
  onWritten: (chunk: Buffer) => void = () => undefined;

  /** The file must not exist yet. */
  static async create(file: string): Promise<ArchiveFile> {
    return new ArchiveFile(await open(file, 'wx', 0o600));
  }

  /** Fills an empty file. */
  static async fill(file: string): Promise<ArchiveFile> {
    return new ArchiveFile(await open(file, 'r+'));
  }

  private constructor(handle: FileHandle) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#handle = handle;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the hex SHA-256 of the file. To be called once, after the end. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#append([chunk]).then(() => done(), done);
  }

  override _writev(items: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#append(items.map(({ chunk }) => chunk)).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#finish().then(() => done(), done);
  }

  override _destroy(cause: Error | null, done: (error: Error | null) => void): void {
    this.#handle.close().then(
      () => done(cause),
      (error: Error) => done(cause ?? error),
    );
  }

  async #append(chunks: Buffer[]): Promise<void> {
    for (const part of gathered(chunks)) {
      this.#hash.update(part);
      // Unlike write(), appendFile() continues after a short write.
      await this.#handle.appendFile(part);
      this.#size += part.length;
    }
    for (const chunk of chunks) this.onWritten(chunk);
    if (this.#size - this.#synced >= SYNC_EVERY_BYTES) await this.#syncInBackground();
  }

  /** Runs at most one sync; if the disk is slower than the archive, waits for it. */
  async #syncInBackground(): Promise<void> {
    await this.#syncing;
    this.#synced = this.#size;
    this.#syncing = this.#handle.datasync();
    // Reported where it is awaited: at the next sync or at the end.
    this.#syncing.catch(() => undefined);
  }

  async #finish(): Promise<void> {
    await this.#syncing;
    await this.#handle.sync();
  }
}

function* gathered(chunks: Buffer[]): Generator<Buffer> {
  let small: Buffer[] = [];
  for (const chunk of chunks) {
    if (chunk.length < SMALL_BYTES) {
      small.push(chunk);
      continue;
    }
    if (small.length > 0) yield Buffer.concat(small);
    small = [];
    yield chunk;
  }
  if (small.length > 0) yield Buffer.concat(small);
}
