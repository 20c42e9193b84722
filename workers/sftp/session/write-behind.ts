import { type FilesCalls, UNTIMED } from './files-calls.ts';

/** Pieces that follow each other are sent together, from this many bytes on. */
const GATHERED_BYTES = 128 * 1024;
/** Bytes of one session that are being written. */
const MOST_UNDER_WAY_BYTES = 1024 * 1024;

interface Piece {
  handle: number;
  offset: number;
  bytes: number;
  parts: Uint8Array[];
}

/**
 * Writes later than it says, so that a client need not wait for each piece. Nothing is visible before the file is closed, so an error that comes
 * late is reported in time: by the next write, or by `flush`, which is called before the file is closed.
 */
export class WriteBehind {
  readonly #files: Pick<FilesCalls, 'writeHandle'>;
  readonly #failures = new Map<number, unknown>();
  readonly #underWay = new Set<Promise<void>>();
  #bytesUnderWay = 0;
  #gathered: Piece | undefined;

  constructor(files: Pick<FilesCalls, 'writeHandle'>) {
    this.#files = files;
  }

  /** Resolves when there is space for more. Rejects if an earlier piece of the file could not be written. */
  async write(handle: number, offset: number, bytes: Uint8Array): Promise<void> {
    this.#requireGood(handle);
    const { handle: former, offset: start = 0, bytes: length = 0 } = this.#gathered ?? {};
    if (former !== handle || start + length !== offset) this.#send();
    this.#gathered ??= { handle, offset, bytes: 0, parts: [] };
    this.#gathered.parts.push(bytes);
    this.#gathered.bytes += bytes.length;
    if (this.#gathered.bytes >= GATHERED_BYTES) this.#send();
    while (this.#bytesUnderWay > MOST_UNDER_WAY_BYTES) await Promise.race(this.#underWay);
  }

  /** Resolves when all is written. Rejects if something of this file was not. */
  async flush(handle: number): Promise<void> {
    this.#send();
    await Promise.all(this.#underWay);
    this.#requireGood(handle);
  }

  end(handle: number): void {
    this.#failures.delete(handle);
    if (this.#gathered?.handle === handle) this.#gathered = undefined;
  }

  #requireGood(handle: number): void {
    if (this.#failures.has(handle)) throw this.#failures.get(handle);
  }

  #send(): void {
    const piece = this.#gathered;
    if (!piece) return;
    this.#gathered = undefined;
    const { handle, offset, parts } = piece;
    const [first] = parts;
    const bytes = parts.length === 1 ? first! : Buffer.concat(parts);
    this.#bytesUnderWay += piece.bytes;
    const sending = this.#files.writeHandle({ handle, offset, bytes }, UNTIMED).then(
      () => undefined,
      (error: unknown) => void this.#failures.set(handle, error),
    );
    const done = sending.then(() => {
      this.#underWay.delete(done);
      this.#bytesUnderWay -= piece.bytes;
    });
    this.#underWay.add(done);
  }
}
