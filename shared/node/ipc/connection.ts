import { connect, type Socket } from 'node:net';
import { protocolOf } from '../../contract/call.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { type CodedFailure, fromCodedFailure, GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { encodeBytesCall, encodeFrame, FRAME, type Frame, FrameReader, fromJson, toJson } from './frame.ts';
import { requirePrivateFolder } from './socket-folder.ts';

/** A process answers on a local socket at once, unless it hangs. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface PeerInfo {
  protocol: number;
  name: string;
  pid: number;
  version: string;
}

/** Receives the outcome of one call. After any number of `data`, either `end` or `failed` comes last. */
export interface CallObserver {
  /** Bytes are valid only until it returns. */
  data(value: unknown): void;
  end(): void;
  failed(error: GamekeeperError): void;
}

export interface DialOptions {
  socketPath: string;
  /** The name that the peer's hello must carry. */
  name: string;
  /** The error code if the connection itself fails. */
  unavailable: Extract<ErrorCode, 'worker_unavailable' | 'daemon_unavailable'>;
}

/** An established connection to a peer whose hello was checked. */
export interface Connection {
  readonly peer: PeerInfo;
  /** Sends a call; an `input` may have `bytes`. Returns a function that aborts it: the observer is not called again. */
  call(message: { path: string; input: unknown; requestId?: string }, observer: CallObserver): () => void;
  onClose(listener: () => void): void;
  close(): void;
}

/** Returns whether a call failed because the peer hangs. A peer that has exited is noticed at once. */
export function isSilence(error: unknown): boolean {
  return error instanceof Silence || (error instanceof GamekeeperError && error.cause instanceof Silence);
}

/** The cause of a failure if the peer did not answer in time. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

/** Connects to a local socket and waits for the peer's hello. */
export async function dial(options: DialOptions): Promise<Connection> {
  try {
    await requirePrivateFolder(options.socketPath);
  } catch (error) {
    if (error instanceof GamekeeperError) throw error;
    const detail = `${options.name} is not reachable.`;
    throw new GamekeeperError(options.unavailable, detail, { retryAfterSeconds: 1, cause: error });
  }
  return new SocketConnection(options).established;
}

class SocketConnection implements Connection {
  readonly established: Promise<Connection>;
  readonly #options: DialOptions;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #calls = new Map<number, CallObserver>();
  readonly #closeListeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  readonly #settle = Promise.withResolvers<Connection>();
  #peer: PeerInfo | undefined;
  #lastId = 0;

  constructor(options: DialOptions) {
    this.#options = options;
    this.established = this.#settle.promise;
    this.#socket = connect({
      path: options.socketPath,
      onread: { buffer: () => this.#reader.free, callback: (length) => this.#receive(length) },
    });
    this.#socket.setNoDelay(true);
    this.#timer = setTimeout(
      () => this.#refuse(this.#unavailable('did not answer on its socket.', new Silence())),
      CONNECT_TIMEOUT_MS,
    );
    this.#socket.on('error', (error) => {
      // After the hello, 'close' follows and fails the calls.
      if (!this.#peer) this.#refuse(this.#unavailable('is not reachable.', error));
    });
    this.#socket.once('close', () => this.#closed());
  }

  get peer(): PeerInfo {
    if (!this.#peer) throw new Error('not connected yet');
    return this.#peer;
  }

  call(message: { path: string; input: unknown; requestId?: string }, observer: CallObserver): () => void {
    const id = ++this.#lastId;
    if (this.#socket.destroyed) {
      queueMicrotask(() => observer.failed(this.#unavailable('has exited.')));
      return () => undefined;
    }
    this.#calls.set(id, observer);
    this.#send(id, message);
    return () => {
      if (this.#calls.delete(id) && !this.#socket.destroyed) this.#socket.write(encodeFrame(FRAME.abort, id, ''));
    };
  }

  onClose(listener: () => void): void {
    this.#closeListeners.add(listener);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** `bytes` of an input travel as they are. They must not change before they are sent. */
  #send(id: number, { input, ...message }: { path: string; input: unknown; requestId?: string }): void {
    const bytes = input instanceof Object && 'bytes' in input ? input.bytes : undefined;
    if (!(bytes instanceof Uint8Array)) {
      this.#socket.write(encodeFrame(FRAME.call, id, toJson({ ...message, input })));
      return;
    }
    const json = toJson({ ...message, input: { ...(input as object), bytes: undefined } });
    this.#socket.cork();
    this.#socket.write(encodeBytesCall(id, json, bytes.byteLength));
    this.#socket.write(bytes);
    this.#socket.uncork();
  }

  /** Returns true: more bytes are welcome. */
  #receive(length: number): boolean {
    try {
      this.#reader.advance(length, (frame) => (this.#peer ? this.#deliver(frame) : this.#greet(frame)));
    } catch (error) {
      const { name } = this.#options;
      const detail = `The process on the socket of ${name} does not speak Gamekeeper's protocol.`;
      this.#refuse(this.#failure(detail, { cause: error }));
    }
    return true;
  }

  #greet(frame: Frame): void {
    const { name } = this.#options;
    const hello = fromJson(frame.payload) as PeerInfo;
    if (frame.kind !== FRAME.hello || hello.name !== name) {
      this.#refuse(this.#failure(`Another process answers on the socket of ${name}.`));
      return;
    }
    const { oldest, newest } = protocolOf(name);
    if (hello.protocol < oldest || hello.protocol > newest) {
      this.#refuse(this.#incompatible(hello));
      return;
    }
    this.#peer = hello;
    clearTimeout(this.#timer);
    this.#settle.resolve(this);
  }

  #deliver(frame: Frame): void {
    const observer = this.#calls.get(frame.id);
    if (!observer) return;
    const isLast = frame.kind !== FRAME.data && frame.kind !== FRAME.dataBytes;
    if (isLast) this.#calls.delete(frame.id);
    if (frame.kind === FRAME.failure) {
      observer.failed(fromCodedFailure(fromJson(frame.payload) as CodedFailure));
      return;
    }
    if (frame.kind !== FRAME.end) observer.data(carriesBytes(frame) ? frame.payload : fromJson(frame.payload));
    if (isLast) observer.end();
  }

  #closed(): void {
    this.#refuse(this.#unavailable('closed the connection.'));
    for (const observer of this.#calls.values()) observer.failed(this.#unavailable('exited during the call.'));
    this.#calls.clear();
    for (const listener of this.#closeListeners) listener();
  }

  #refuse(error: GamekeeperError): void {
    clearTimeout(this.#timer);
    this.#socket.destroy();
    this.#settle.reject(error);
  }

  #unavailable(what: string, cause?: unknown): GamekeeperError {
    return this.#failure(`${this.#options.name} ${what}`, cause === undefined ? {} : { cause });
  }

  #failure(detail: string, options: { cause?: unknown } = {}): GamekeeperError {
    return new GamekeeperError(this.#options.unavailable, detail, { retryAfterSeconds: 1, ...options });
  }

  #incompatible({ version, protocol, pid }: PeerInfo): GamekeeperError {
    const { name, unavailable } = this.#options;
    const age = protocol > protocolOf(name).newest ? 'newer' : 'much older';
    return new GamekeeperError(
      unavailable,
      `${name} is of a ${age} version of Gamekeeper (${version}), which this version cannot talk to.`,
      { resolution: `Stop the server with that version, or end the process ${pid}, which then stops its server.` },
    );
  }
}

function carriesBytes(frame: Frame): boolean {
  return frame.kind === FRAME.resultBytes || frame.kind === FRAME.dataBytes;
}
