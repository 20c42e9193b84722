import { Transform, type TransformCallback } from 'node:stream';

/** In bytes, without the length field: an id, a type and two NULs. */
const SHORTEST_PACKET = 10;
/** In bytes. Vanilla's packets have at most about 12 KiB, but Cuberite sends a whole answer in one packet. */
const LONGEST_PACKET = 1024 * 1024;

/**
 * Splits a byte stream into RCON packets, each with its length field. Fails at a length that no packet can have: otherwise it would wait, and
 * buffer, for ever.
 */
export class PacketSplitter extends Transform {
  #unread: Buffer = Buffer.alloc(0);

  constructor() {
    super({ readableObjectMode: true });
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    while (this.#unread.length >= 4) {
      const length = this.#unread.readInt32LE(0);
      if (length < SHORTEST_PACKET || length > LONGEST_PACKET) {
        done(new RangeError(`An RCON packet cannot have ${length} bytes`));
        return;
      }
      if (this.#unread.length < 4 + length) break;
      this.push(this.#unread.subarray(0, 4 + length));
      this.#unread = this.#unread.subarray(4 + length);
    }
    done();
  }
}
