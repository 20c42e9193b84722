import { Transform, type TransformCallback } from 'node:stream';

/** An id, a kind and two NULs: no packet is shorter. In bytes, without the length itself. */
const SHORTEST_PACKET = 10;
/** Vanilla's longest is about 12 KiB; the longest seen elsewhere (Cuberite) is one packet for the whole answer. */
const LONGEST_PACKET = 1024 * 1024;

/**
 * Cuts a byte stream into RCON packets, each with its length field, and fails at a length that no packet can have: what
 * follows could not be understood, and the peer could make us wait, or keep its bytes, for ever.
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
