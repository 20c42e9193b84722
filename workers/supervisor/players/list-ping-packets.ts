import type { Socket } from 'node:net';
import { ListPingError } from './list-ping-error.ts';

/** A packet of the protocol since 1.7 (minecraft.wiki, "Java Edition protocol/Server List Ping"). */
export interface Frame {
  readonly id: number;
  readonly body: Buffer;
}

/** Length, id and body of a packet as bytes. */
export function encodeFrame(id: number, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([encodeVarInt(body.length + 1), encodeVarInt(id), body]);
}

/** The first packet: "I would like the status", and the address that the player typed. */
export function encodeHandshake(host: string, port: number): Buffer {
  const address = Buffer.from(host, 'utf8');
  const portBytes = Buffer.alloc(2);
  portBytes.writeUInt16BE(port);
  const body = [
    encodeVarInt(ANY_PROTOCOL),
    encodeVarInt(address.length),
    address,
    portBytes,
    encodeVarInt(STATUS_NEXT),
  ];
  return encodeFrame(0, Buffer.concat(body));
}

/**
 * A text with its length before it.
 *
 * @throws {RangeError} if it is cut short
 */
export function readText(body: Buffer): string {
  const length = decodeVarInt(body, 0);
  if (!length || length.value < 0 || length.end + length.value > body.length)
    throw new RangeError('a text is cut short');
  return body.toString('utf8', length.end, length.end + length.value);
}

/** Takes packets off a socket, none longer than `longest` bytes. */
export class FrameReader {
  readonly #longest: number;
  #unread: Buffer = Buffer.alloc(0);
  #ended: Error | undefined;
  #wake = (): void => {};

  constructor(socket: Socket, longest: number) {
    this.#longest = longest;
    socket.on('data', (bytes: Buffer) => {
      this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
      this.#wake();
    });
    const end = (error: Error): void => {
      this.#ended ??= error;
      this.#wake();
    };
    socket.on('error', end);
    socket.on('close', () => end(new ListPingError('closed', 'hung up')));
  }

  /** The next packet. @throws what ended the socket, or {@link RangeError} for a packet that cannot be one */
  async next(): Promise<Frame> {
    for (;;) {
      const frame = this.#take();
      if (frame) return frame;
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(): Frame | undefined {
    const length = decodeVarInt(this.#unread, 0);
    if (!length) return undefined;
    if (length.value < 1 || length.value > this.#longest) throw new RangeError(`a packet of ${length.value} bytes`);
    const end = length.end + length.value;
    if (this.#unread.length < end) return undefined;
    const content = this.#unread.subarray(length.end, end);
    this.#unread = this.#unread.subarray(end);
    const id = decodeVarInt(content, 0);
    if (!id) throw new RangeError('a packet without a number');
    return { id: id.value, body: content.subarray(id.end) };
  }
}

/** "Which version are you?", by convention. */
const ANY_PROTOCOL = -1;
const STATUS_NEXT = 1;

function encodeVarInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** The number at `offset` and where it ends; undefined while it is not complete. @throws {RangeError} beyond five bytes */
function decodeVarInt(bytes: Buffer, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { value, end: offset + index + 1 };
  }
  throw new RangeError('a number of more than five bytes');
}
