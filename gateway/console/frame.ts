const FIN_AND_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const MAX_2_BYTES = 0xffff;

/** Smaller frames come from Node's own pool. */
const SMALLEST_BLOCK_BYTES = 16 * 1024;
/** Free blocks are kept up to what one viewer may have in flight. */
const MAX_FREE_BYTES = 1024 * 1024;

/** A text message in wire format, which can be sent to any number of viewers. */
export interface Frame {
  readonly bytes: Uint8Array;
  hold(): void;
  /** Removes a sender. After the last one the memory is reused. */
  release(): void;
}

/**
 * Builds frames in blocks of memory that are reused once nobody sends from them: otherwise a flood makes V8 collect garbage thirty times a
 * second. A block that is never released is collected like any other object.
 */
export class FrameMaker {
  readonly #free: Buffer[] = [];
  #freeBytes = 0;

  /** Returns a frame with this payload (RFC 6455, section 5.2; servers do not mask). */
  text(payload: Uint8Array | string): Frame {
    const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
    const headBytes = length < LENGTH_IN_2_BYTES ? 2 : length <= MAX_2_BYTES ? 4 : 10;
    const block = this.#take(headBytes + length);
    writeHead(block, length);
    if (typeof payload === 'string') block.write(payload, headBytes);
    else block.set(payload, headBytes);
    return new SharedFrame(block.subarray(0, headBytes + length), () => this.#giveBack(block));
  }

  #take(bytes: number): Buffer {
    if (bytes < SMALLEST_BLOCK_BYTES) return Buffer.allocUnsafe(bytes);
    // At most twice as large, so that the memory that waits for a slow viewer is bounded.
    const index = this.#free.findIndex(({ length }) => length >= bytes && length <= 2 * bytes);
    const [block] = index < 0 ? [] : this.#free.splice(index, 1);
    if (!block) return Buffer.allocUnsafeSlow(Math.ceil(bytes / SMALLEST_BLOCK_BYTES) * SMALLEST_BLOCK_BYTES);
    this.#freeBytes -= block.length;
    return block;
  }

  #giveBack(block: Buffer): void {
    if (block.length < SMALLEST_BLOCK_BYTES || this.#freeBytes + block.length > MAX_FREE_BYTES) return;
    this.#free.push(block);
    this.#freeBytes += block.length;
  }
}

class SharedFrame implements Frame {
  readonly bytes: Uint8Array;
  readonly #onFree: () => void;
  #holders = 0;

  constructor(bytes: Uint8Array, onFree: () => void) {
    this.bytes = bytes;
    this.#onFree = onFree;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders === 0) this.#onFree();
  }
}

function writeHead(frame: Buffer, length: number): void {
  frame.writeUInt8(FIN_AND_TEXT, 0);
  if (length < LENGTH_IN_2_BYTES) frame.writeUInt8(length, 1);
  else if (length <= MAX_2_BYTES) {
    frame.writeUInt8(LENGTH_IN_2_BYTES, 1);
    frame.writeUInt16BE(length, 2);
  } else {
    frame.writeUInt8(LENGTH_IN_8_BYTES, 1);
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
}
