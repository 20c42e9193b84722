/**
 * The frame of local sockets: `u32 length | u8 kind | u32 call id | payload`, little-endian; `length` counts everything after itself. Payloads
 * are JSON, or raw bytes for console batches and parts of files, so that a flood is never turned into JSON (docs/decisions/0001). The payload
 * of `callBytes` is both: `u32 length of the JSON | JSON | bytes`.
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
  callBytes: 9,
} as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  kind: number;
  id: number;
  payload: Buffer;
}

const PREFIX_BYTES = 4;
const HEAD_BYTES = 5;
/** Of the JSON in a call with bytes. */
const LENGTH_BYTES = 4;
/** The initial size, enough for a quiet connection. */
const FIRST_READ_BYTES = 4 * 1024;
/**
 * The largest read. It exceeds what the kernel buffers for a local socket: libuv's read buffer is then never full, so libuv serves other
 * sockets before it reads again.
 */
const READ_BYTES = 256 * 1024;
/** Memory up to this size is kept after a large frame, because the next frame is probably as large. */
const KEPT_BYTES = 512 * 1024;
/** Far above any real message: a peer that sends a larger length does not speak this protocol. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** Returns a frame with JSON text as its payload. */
export function encodeFrame(kind: FrameKind, id: number, payload: string): Buffer {
  const size = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + HEAD_BYTES + size);
  writeHead(frame, { kind, id, payloadBytes: size });
  frame.write(payload, PREFIX_BYTES + HEAD_BYTES);
  return frame;
}

/** Returns the head of a frame; the payload of `bytes` bytes is written separately. */
export function encodeFrameHead(kind: FrameKind, id: number, payloadBytes: number): Buffer {
  const head = Buffer.allocUnsafe(PREFIX_BYTES + HEAD_BYTES);
  writeHead(head, { kind, id, payloadBytes });
  return head;
}

/** Returns what comes before the bytes of a call. */
export function encodeBytesCall(id: number, json: string, bytes: number): Buffer {
  const size = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + HEAD_BYTES + LENGTH_BYTES + size);
  writeHead(frame, { kind: FRAME.callBytes, id, payloadBytes: LENGTH_BYTES + size + bytes });
  frame.writeUInt32LE(size, PREFIX_BYTES + HEAD_BYTES);
  frame.write(json, PREFIX_BYTES + HEAD_BYTES + LENGTH_BYTES);
  return frame;
}

/** Reverses `encodeBytesCall`. The bytes are a copy. Throws for an impossible length. */
export function decodeBytesCall(payload: Buffer): { json: Buffer; bytes: Buffer } {
  const end = LENGTH_BYTES + (payload.length < LENGTH_BYTES ? payload.length : payload.readUInt32LE(0));
  if (end > payload.length) throw new Error('bad length of a call with bytes');
  return { json: payload.subarray(LENGTH_BYTES, end), bytes: Buffer.from(payload.subarray(end)) };
}

/** Returns the JSON text of a value. `undefined` becomes an empty payload. */
export function toJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

export function fromJson(payload: Buffer): unknown {
  return payload.length === 0 ? undefined : JSON.parse(payload.toString());
}

/** Collects frames from socket reads in one reused buffer, so that a flood creates no garbage. */
export class FrameReader {
  #memory = Buffer.allocUnsafeSlow(FIRST_READ_BYTES);
  #filled = 0;

  /** The part of the buffer that the next read fills. */
  get free(): Buffer {
    return this.#memory.subarray(this.#filled);
  }

  /**
   * Takes `length` bytes that were read into `free`, and passes on each complete frame, whose payload is valid until `take` returns. Throws for
   * an impossible length.
   */
  advance(length: number, take: (frame: Frame) => void): void {
    const bytes = this.#memory;
    const end = this.#filled + length;
    let start = 0;
    let frameBytes = 0;
    while (end - start >= PREFIX_BYTES) {
      frameBytes = PREFIX_BYTES + checkedLength(bytes.readUInt32LE(start));
      if (end - start < frameBytes) break;
      take({
        kind: bytes.readUInt8(start + PREFIX_BYTES),
        id: bytes.readUInt32LE(start + PREFIX_BYTES + 1),
        payload: bytes.subarray(start + PREFIX_BYTES + HEAD_BYTES, start + frameBytes),
      });
      start += frameBytes;
      frameBytes = 0;
    }
    this.#keep(bytes.subarray(start, end), { frameBytes, wasFull: end === bytes.length });
  }

  /** Takes bytes that were read elsewhere; see `advance`. */
  push(chunk: Buffer, take: (frame: Frame) => void): void {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.free, 0, at);
      this.advance(copied, take);
      at += copied;
    }
  }

  /** Moves the beginning of the next frame to the start of the buffer, or of another one if this one is too small or too large. */
  #keep(rest: Buffer, { frameBytes, wasFull }: { frameBytes: number; wasFull: boolean }): void {
    const { length } = this.#memory;
    const wanted = Math.max(frameBytes, wasFull ? Math.min(length * 2, READ_BYTES) : 0, Math.min(length, KEPT_BYTES));
    if (wanted !== length) this.#memory = Buffer.allocUnsafeSlow(wanted);
    rest.copy(this.#memory);
    this.#filled = rest.length;
  }
}

function writeHead(frame: Buffer, { kind, id, payloadBytes }: { kind: FrameKind; id: number; payloadBytes: number }) {
  frame.writeUInt32LE(HEAD_BYTES + payloadBytes, 0);
  frame.writeUInt8(kind, PREFIX_BYTES);
  frame.writeUInt32LE(id, PREFIX_BYTES + 1);
}

function checkedLength(length: number): number {
  if (length < HEAD_BYTES || length > MAX_FRAME_BYTES) throw new Error(`bad frame length ${length}`);
  return length;
}
