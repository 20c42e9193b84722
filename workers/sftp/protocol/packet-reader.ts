import { MOST_PACKET_BYTES } from './constants.ts';

const LENGTH_BYTES = 4;

/** Puts packets together from what arrives. A packet is `u32 length | u8 type | fields`; it is returned without the length. */
export class PacketReader {
  #head = Buffer.alloc(LENGTH_BYTES);
  #headFilled = 0;
  #packet: Buffer | undefined;
  #filled = 0;

  /** Yields each packet that is complete. Throws for a length that no packet has. */
  *push(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; ) {
      if (!this.#packet) {
        const copied = chunk.copy(this.#head, this.#headFilled, at);
        at += copied;
        this.#headFilled += copied;
        if (this.#headFilled < LENGTH_BYTES) return;
        this.#begin(this.#head.readUInt32BE(0));
      }
      const packet = this.#packet!;
      const copied = chunk.copy(packet, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled < packet.length) return;
      this.#packet = undefined;
      yield packet;
    }
  }

  #begin(length: number): void {
    if (length < 1 || length > MOST_PACKET_BYTES) throw new Error(`no packet has ${length} bytes`);
    this.#packet = Buffer.allocUnsafe(length);
    this.#filled = 0;
    this.#headFilled = 0;
  }
}
