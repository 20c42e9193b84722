import { connect } from 'node:net';
import { protocolOf } from '../../contract/call.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { type CodedFailure, fromCodedFailure, GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { encodeFrame, FRAME, type Frame, FrameReader, fromJson, toJson } from './frame.ts';

/** A local socket either answers at once or its owner is stuck. */
const CONNECT_TIMEOUT_MS = 2_000;

export interface PeerInfo {
  protocol: number;
  name: string;
  pid: number;
  version: string;
}

/** What becomes of one call. `end` is for streams, `result` for the others; exactly one of `result`, `end`, `failed` comes last. */
export interface CallObserver {
  /** Bytes hold until it returns. */
  data(value: unknown): void;
  end(): void;
  failed(error: GamekeeperError): void;
}

export interface DialOptions {
  socketPath: string;
  /** The name that the peer's hello must carry. */
  name: string;
  /** Code of failures of the connection itself. */
  unavailable: Extract<ErrorCode, 'worker_unavailable' | 'daemon_unavailable'>;
}

/** One established connection to a peer whose hello has been checked. */
export interface Connection {
  readonly peer: PeerInfo;
  /** Sends a call. Returns how to abort it: the observer then hears nothing more. */
  call(message: { path: string; input: unknown; requestId?: string }, observer: CallObserver): () => void;
  onClose(listener: () => void): void;
  close(): void;
}

/** True for a failure that was silence: the peer is there, and hangs. One that has gone is noticed at once. */
export function isSilence(error: unknown): boolean {
  return error instanceof Silence || (error instanceof GamekeeperError && error.cause instanceof Silence);
}

/** Why a call was given up. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

/** Dials a local socket and waits for the peer's hello. */
export function dial(options: DialOptions): Promise<Connection> {
  const unavailable = (detail: string, cause?: unknown) =>
    new GamekeeperError(options.unavailable, detail, { retryAfterSeconds: 1, ...(cause !== undefined && { cause }) });
  const incompatible = ({ version, protocol, pid }: PeerInfo) => {
    const age = protocol > protocolOf(options.name).newest ? 'newer' : 'much older';
    return new GamekeeperError(
      options.unavailable,
      `${options.name} is of a ${age} version of Gamekeeper (${version}) than this one, which cannot talk to it.`,
      { resolution: `Use that version to stop the server, or end the process ${pid}, at which it stops its server.` },
    );
  };
  const reader = new FrameReader();

  return new Promise<Connection>((resolve, reject) => {
    const socket = connect({ path: options.socketPath, onread: { buffer: () => reader.room, callback: receive } });
    socket.setNoDelay(true);
    const calls = new Map<number, CallObserver>();
    const closeListeners = new Set<() => void>();
    let established = false;
    let lastId = 0;

    const refuse = (error: GamekeeperError) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => refuse(unavailable(`${options.name} did not answer on its socket.`, new Silence())),
      CONNECT_TIMEOUT_MS,
    );

    socket.on('error', (error) => {
      // Once established, 'close' tells the calls; before, this is why there is no connection.
      if (!established) refuse(unavailable(`${options.name} is not reachable.`, error));
    });
    socket.once('close', () => {
      refuse(unavailable(`${options.name} closed the connection.`));
      for (const observer of calls.values()) observer.failed(unavailable(`${options.name} went away during the call.`));
      calls.clear();
      for (const listener of closeListeners) listener();
    });

    /** Answers that it wants more. */
    function receive(length: number): boolean {
      try {
        reader.advance(length, (frame) => (established ? deliver(frame) : greet(frame)));
      } catch (error) {
        refuse(
          unavailable(`What answers on the socket of ${options.name} does not speak Gamekeeper's protocol.`, error),
        );
      }
      return true;
    }

    function greet(frame: Frame): void {
      const hello = fromJson(frame.payload) as PeerInfo;
      if (frame.kind !== FRAME.hello || hello.name !== options.name) {
        refuse(unavailable(`Another process answers on the socket of ${options.name}.`));
        return;
      }
      const { oldest, newest } = protocolOf(options.name);
      if (hello.protocol < oldest || hello.protocol > newest) {
        refuse(incompatible(hello));
        return;
      }
      established = true;
      clearTimeout(timer);
      resolve(connection(hello));
    }

    function deliver(frame: Frame): void {
      const observer = calls.get(frame.id);
      if (!observer) return;
      const isLast = frame.kind !== FRAME.data && frame.kind !== FRAME.dataBytes;
      if (isLast) calls.delete(frame.id);
      if (frame.kind === FRAME.failure) {
        observer.failed(fromCodedFailure(fromJson(frame.payload) as CodedFailure));
        return;
      }
      if (frame.kind !== FRAME.end) observer.data(carriesBytes(frame) ? frame.payload : fromJson(frame.payload));
      if (isLast) observer.end();
    }

    function connection(peer: PeerInfo): Connection {
      return {
        peer,
        call(message, observer) {
          const id = ++lastId;
          if (socket.destroyed) {
            queueMicrotask(() => observer.failed(unavailable(`${options.name} went away.`)));
            return () => undefined;
          }
          calls.set(id, observer);
          socket.write(encodeFrame(FRAME.call, id, toJson(message)));
          return () => {
            if (calls.delete(id) && !socket.destroyed) socket.write(encodeFrame(FRAME.abort, id, ''));
          };
        },
        onClose: (listener) => void closeListeners.add(listener),
        close: () => void socket.destroy(),
      };
    }
  });
}

function carriesBytes(frame: Frame): boolean {
  return frame.kind === FRAME.resultBytes || frame.kind === FRAME.dataBytes;
}
