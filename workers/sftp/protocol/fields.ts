import { nameOf } from '../../../shared/node/files/file-name.ts';
import { ATTRIBUTE } from './constants.ts';

/** A packet that does not have the fields of its type. */
export class MalformedPacket extends Error {
  override readonly name = 'MalformedPacket';
}

export interface SentAttributes {
  sizeBytes?: number;
  owner?: { uid: number; gid: number };
  mode?: number;
  /** Seconds since the epoch. */
  times?: { accessedAt: number; modifiedAt: number };
}

/** Reads the fields of a packet in order. Each method throws MalformedPacket if the packet ends before. */
export class FieldReader {
  readonly #packet: Buffer;
  #at = 0;

  constructor(packet: Buffer) {
    this.#packet = packet;
  }

  byte(): number {
    return this.#packet.readUInt8(this.#take(1));
  }

  number(): number {
    return this.#packet.readUInt32BE(this.#take(4));
  }

  /** Throws for numbers that are no position in a file. */
  long(): number {
    const value = this.#packet.readBigUInt64BE(this.#take(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new MalformedPacket('a number is too large');
    return Number(value);
  }

  /** Returns a view into the packet. */
  bytes(): Buffer {
    const length = this.number();
    const start = this.#take(length);
    return this.#packet.subarray(start, start + length);
  }

  /** Returns a file name or path, as in shared/node/files/file-name.ts: it need not be UTF-8. */
  path(): string {
    return nameOf(this.bytes());
  }

  attributes(): SentAttributes {
    const flags = this.number();
    const has = (flag: number) => (flags & flag) !== 0;
    const sent: SentAttributes = {};
    if (has(ATTRIBUTE.size)) sent.sizeBytes = this.long();
    if (has(ATTRIBUTE.owner)) sent.owner = { uid: this.number(), gid: this.number() };
    if (has(ATTRIBUTE.permissions)) sent.mode = this.number();
    if (has(ATTRIBUTE.times)) sent.times = { accessedAt: this.number(), modifiedAt: this.number() };
    if (has(ATTRIBUTE.extended)) this.#skipExtensions(this.number());
    return sent;
  }

  #skipExtensions(count: number): void {
    for (let skipped = 0; skipped < count; skipped++) {
      this.bytes();
      this.bytes();
    }
  }

  #take(length: number): number {
    const start = this.#at;
    if (this.#packet.length - start < length) throw new MalformedPacket('the packet is too short');
    this.#at = start + length;
    return start;
  }
}
