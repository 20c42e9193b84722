import { fromCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import { MOST_PART_BYTES, type PartAnswer, type PartRequest, type RemoteArchive } from '../task-types.ts';

/** Bytes that are far away: each read is a request. */
export interface FarBytes {
  readonly size: number;
  /** Returns the bytes from `start` to `end` (exclusive), which lie inside. */
  read(start: number, end: number): Promise<Buffer>;
}

/** The bytes of an object in a store, which the jobs process fetches. */
export class RemoteBytes implements FarBytes {
  readonly size: number;
  readonly #port: RemoteArchive['port'];
  readonly #waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  #lastId = 0;

  constructor({ sizeBytes, port }: RemoteArchive) {
    this.size = sizeBytes;
    this.#port = port;
    port.on('message', (answer: PartAnswer) => this.#take(answer));
    port.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The jobs process sends no more.'));
      this.#waiting.clear();
    });
  }

  async read(start: number, end: number): Promise<Buffer> {
    const parts: Promise<Buffer>[] = [];
    for (let from = start; from < end; from += MOST_PART_BYTES)
      parts.push(this.#ask(from, Math.min(end, from + MOST_PART_BYTES)));
    const [first = Buffer.alloc(0), ...rest] = await Promise.all(parts);
    return rest.length === 0 ? first : Buffer.concat([first, ...rest]);
  }

  close(): void {
    this.#port.close();
  }

  #ask(start: number, end: number): Promise<Buffer> {
    const request: PartRequest = { id: ++this.#lastId, start, end };
    const waiting = Promise.withResolvers<Buffer>();
    this.#waiting.set(request.id, waiting);
    this.#port.postMessage(request);
    return waiting.promise;
  }

  #take(answer: PartAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('failure' in answer) waiting?.reject(fromCodedFailure(answer.failure));
    else waiting?.resolve(Buffer.from(answer.bytes.buffer));
  }
}
