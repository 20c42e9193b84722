/**
 * The one envelope of local sockets: `u32 length | u8 kind | u32 call id | payload`, little-endian; `length` counts all behind itself.
 * JSON payloads for calls, raw bytes for console batches, so that a flood is never turned into JSON.
 */
export const FRAME = {
  hello: 0,
  call: 1,
  abort: 2,
  result: 3,
  resultBytes: 4,
  failure: 5,
  data: 6,
  dataBytes: 7,
  end: 8,
} as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  kind: number;
  id: number;
  payload: Buffer;
}

const PREFIX_BYTES = 4;
const HEAD_BYTES = 5;
/** Far above any message of ours; a length beyond it means that the peer does not speak this protocol. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** A frame ready to be written. A string payload is JSON text. */
export function encodeFrame(kind: FrameKind, id: number, payload: string | Uint8Array): Buffer {
  const size = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength;
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + HEAD_BYTES + size);
  frame.writeUInt32LE(HEAD_BYTES + size, 0);
  frame.writeUInt8(kind, PREFIX_BYTES);
  frame.writeUInt32LE(id, PREFIX_BYTES + 1);
  if (typeof payload === 'string') frame.write(payload, PREFIX_BYTES + HEAD_BYTES);
  else frame.set(payload, PREFIX_BYTES + HEAD_BYTES);
  return frame;
}

/** JSON text of a value; `undefined` has none and travels as an empty payload. */
export function toJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

export function fromJson(payload: Buffer): unknown {
  return payload.length === 0 ? undefined : JSON.parse(payload.toString());
}

/** Gathers frames from socket reads. Chunks are joined only when a frame is complete, so a large one is copied once. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Takes one read and returns the frames that it completes. Throws on a length that no peer of ours sends. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const needed = this.#nextFrameBytes();
    if (needed === undefined || this.#size < needed) return [];

    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    const frames: Frame[] = [];
    let offset = 0;
    while (bytes.length - offset >= PREFIX_BYTES) {
      const end = offset + PREFIX_BYTES + checkedLength(bytes.readUInt32LE(offset));
      if (end > bytes.length) break;
      frames.push({
        kind: bytes.readUInt8(offset + PREFIX_BYTES),
        id: bytes.readUInt32LE(offset + PREFIX_BYTES + 1),
        payload: bytes.subarray(offset + PREFIX_BYTES + HEAD_BYTES, end),
      });
      offset = end;
    }
    const rest = bytes.subarray(offset);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    return frames;
  }

  #nextFrameBytes(): number | undefined {
    if (this.#size < PREFIX_BYTES) return undefined;
    if (this.#chunks[0]!.length < PREFIX_BYTES) this.#chunks = [Buffer.concat(this.#chunks, this.#size)];
    return PREFIX_BYTES + checkedLength(this.#chunks[0]!.readUInt32LE(0));
  }
}

function checkedLength(length: number): number {
  if (length < HEAD_BYTES || length > MAX_FRAME_BYTES) throw new Error(`bad frame length ${length}`);
  return length;
}
