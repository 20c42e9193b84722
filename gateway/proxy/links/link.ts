import { randomUUID } from 'node:crypto';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { WebSocket } from 'ws';
import type { LinkMessage } from '../../../shared/node/link/link-message.ts';
import { LINK_WINDOW_BYTES, MOST_STREAMS, STREAM_WINDOW_BYTES } from '../../../shared/node/link/protocol.ts';
import { WebSocketDuplex } from '../../../shared/node/link/web-socket-duplex.ts';

/** MiB. Node refuses new streams above it; what slow readers have not taken counts. */
const SESSION_MEMORY_MIB = 64;
/** For the answer to a close frame. */
const CLOSE_GRACE_MS = 2_000;
/** RFC 6455, section 7.4.1. */
const NORMAL_CLOSURE = 1000;

/** The proxy's end of a link: sends requests to one daemon. */
export class DaemonLink {
  readonly daemonId: string;
  /** Of this link alone: the daemon's next one has another. */
  readonly linkId = randomUUID();
  /** Milliseconds of the monotonic clock when the daemon was last heard. */
  heardAt = performance.now();
  readonly #socket: WebSocket;
  readonly #session: ClientHttp2Session;
  #streams = 0;
  #isFinishing = false;

  constructor(daemonId: string, socket: WebSocket) {
    this.daemonId = daemonId;
    this.#socket = socket;
    this.#session = connect('http://link', {
      createConnection: () => new WebSocketDuplex(socket),
      maxSessionMemory: SESSION_MEMORY_MIB,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(LINK_WINDOW_BYTES));
    this.#session.on('error', () => undefined); // Followed by 'close'.
    // Without HTTP/2 the socket is of no use.
    this.#session.once('close', () => socket.terminate());
    // With an error, so that what its streams have received does not look complete.
    socket.once('close', () => this.#session.destroy(new Error('The link has ended.')));
    for (const event of ['message', 'ping'])
      socket.on(event, () => {
        this.heardAt = performance.now();
      });
  }

  /** Resolves to false if the daemon does not speak HTTP/2 with WebSockets (RFC 8441), or the link ends first. */
  speaksHttp2(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#session.once('remoteSettings', ({ enableConnectProtocol }) => resolve(enableConnectProtocol === true));
      this.#session.once('close', () => resolve(false));
    });
  }

  /** False once the daemon takes no new requests, or the connection has failed. */
  get isOpen(): boolean {
    return !this.#isFinishing && !this.#session.closed && !this.#session.destroyed;
  }

  /** True if the daemon takes no more requests for now. */
  get isFull(): boolean {
    return this.#streams >= MOST_STREAMS;
  }

  /** Sends the head of a request, with the pseudo-headers of HTTP/2. Throws unless `isOpen`. */
  request(headers: OutgoingHttpHeaders, options: { endStream: boolean }): ClientHttp2Stream {
    const stream = this.#session.request(headers, options);
    this.#streams++;
    stream.once('close', () => {
      this.#streams--;
      this.#endIfDone();
    });
    return stream;
  }

  tell(message: LinkMessage): void {
    this.#socket.send(JSON.stringify(message), () => undefined); // A link that fails is noticed elsewhere.
  }

  /** Takes no more requests, and ends the link when those under way are done. */
  finish(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    this.#endIfDone();
  }

  /** The session is not closed earlier: the daemon's end would then close as soon as everything is sent, and take along what was not read here. */
  #endIfDone(): void {
    if (this.#isFinishing && this.#streams === 0) this.close(NORMAL_CLOSURE, 'no more requests');
  }

  /** Ends the link with its requests. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_GRACE_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** For a daemon that is no longer heard. */
  terminate(): void {
    this.#socket.terminate();
  }
}
