import type { Duplex } from 'node:stream';
import { ListPingError } from './list-ping-error.ts';
import { decodeFrame, encodeFrame, encodeText, encodeVarInt, type Frame } from './packets.ts';

/** By convention, asks for the server's version (minecraft.wiki, "Java Edition protocol/Server List Ping"). */
const ANY_PROTOCOL = -1;
const STATUS_NEXT = 1;

/** The address that a player would type. */
export interface HandshakeOf {
  host: string;
  port: number;
  /** Version of the client's protocol; absent: that of the server. */
  protocol?: number;
}

/** Returns the first packet: a request for the status. */
export function encodeHandshake({ host, port, protocol = ANY_PROTOCOL }: HandshakeOf): Buffer {
  const portBytes = Buffer.alloc(2);
  portBytes.writeUInt16BE(port);
  const body = [encodeVarInt(protocol), encodeText(host), portBytes, encodeVarInt(STATUS_NEXT)];
  return encodeFrame(0, Buffer.concat(body));
}

/** Reads packets of at most `longest` bytes from a socket. */
export class FrameReader {
  readonly #longest: number;
  #unread: Buffer = Buffer.alloc(0);
  #ended: Error | undefined;
  #wake = (): void => {};

  constructor(socket: Duplex, longest: number) {
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
    socket.on('close', () => end(new ListPingError('closed', 'connection closed')));
  }

  /** Resolves to the next packet. Throws the error that ended the socket, or RangeError for an invalid packet. */
  async next(): Promise<Frame> {
    for (;;) {
      const frame = decodeFrame(this.#unread, this.#longest);
      if (frame) {
        this.#unread = frame.rest;
        return frame;
      }
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
