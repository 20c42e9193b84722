import type { Socket } from 'node:net';
import { type AnyTRPCRouter, callTRPCProcedure, TRPCError } from '@trpc/server';
import { type CallContext, type Peer, protocolOf } from '../../contract/call.ts';
import { GamekeeperError, toCodedFailure } from '../../errors/gamekeeper-error.ts';
import {
  decodeBytesCall,
  encodeFrame,
  encodeFrameHead,
  FRAME,
  type Frame,
  FrameReader,
  fromJson,
  toJson,
} from './frame.ts';

export interface IpcServerOptions<Service> {
  socketPath: string;
  /** Sent in the hello, so that a client notices a reused socket path: `daemon`, `jobs`, `supervisor:<id>`. */
  name: string;
  version: string;
  router: AnyTRPCRouter;
  service: Service;
  /** Called for unexpected failures, with the procedure's path. */
  onError: (error: unknown, path: string) => void;
}

interface Call {
  path: string;
  input?: unknown;
  requestId?: string;
}

/** One connection of a server: answers the calls of a peer. */
export class ServedPeer<Service> implements Peer {
  readonly id: number;
  readonly #socket: Socket;
  readonly #options: IpcServerOptions<Service>;
  readonly #running = new Map<number, AbortController>();
  readonly #closeListeners = new Set<() => void>();
  readonly #reader = new FrameReader();

  constructor(id: number, socket: Socket, options: IpcServerOptions<Service>) {
    this.id = id;
    this.#socket = socket;
    this.#options = options;
    const { name, version } = options;
    const hello = { protocol: protocolOf(name).newest, name, pid: process.pid, version };
    socket.setNoDelay(true);
    socket.write(encodeFrame(FRAME.hello, 0, toJson(hello)));
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // A peer that was killed resets the connection; 'close' follows.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      for (const controller of this.#running.values()) controller.abort();
      for (const listener of this.#closeListeners) listener();
    });
  }

  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  #read(chunk: Buffer): void {
    try {
      this.#reader.push(chunk, (frame) => this.#receive(frame));
    } catch (error) {
      // The peer does not speak this protocol, so there is no answer that it understands.
      this.#options.onError(error, 'frame');
      this.#socket.destroy();
    }
  }

  #receive(frame: Frame): void {
    if (frame.kind === FRAME.abort) this.#running.get(frame.id)?.abort();
    if (frame.kind !== FRAME.call && frame.kind !== FRAME.callBytes) return;
    const call = frame.kind === FRAME.call ? (fromJson(frame.payload) as Call) : callWithBytes(frame.payload);
    const controller = new AbortController();
    this.#running.set(frame.id, controller);
    void this.#answer(frame.id, call, controller).finally(() => this.#running.delete(frame.id));
  }

  async #answer(callId: number, call: Call, controller: AbortController): Promise<void> {
    const { router, service, onError } = this.#options;
    const ctx: CallContext<Service> = { service, peer: this, requestId: call.requestId };
    // The caller knows only the router's type, so the router tells what kind of procedure it is.
    const type = router._def.procedures[call.path]?._def.type ?? 'query';
    try {
      const result: unknown = await callTRPCProcedure({
        router,
        path: call.path,
        type,
        getRawInput: async () => call.input,
        ctx,
        signal: controller.signal,
        batchIndex: 0,
      });
      if (type === 'subscription') await this.#stream(callId, result as AsyncIterable<unknown>, controller.signal);
      else await this.#send(callId, result, { json: FRAME.result, bytes: FRAME.resultBytes });
    } catch (error) {
      if (controller.signal.aborted) return;
      const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
      if (!(cause instanceof GamekeeperError)) onError(cause, call.path);
      await this.#write(encodeFrame(FRAME.failure, callId, toJson(toCodedFailure(cause))));
    }
  }

  async #stream(callId: number, items: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
    for await (const item of items) {
      if (signal.aborted) return;
      await this.#send(callId, item, { json: FRAME.data, bytes: FRAME.dataBytes });
    }
    if (!signal.aborted) await this.#write(encodeFrame(FRAME.end, callId, ''));
  }

  async #send(callId: number, value: unknown, kind: SentKind): Promise<void> {
    if (!(value instanceof Uint8Array)) return this.#write(encodeFrame(kind.json, callId, toJson(value)));
    const socket = this.#socket;
    if (socket.destroyed) return;
    // Head and bytes in one write, without copying the batches of a console.
    socket.cork();
    socket.write(encodeFrameHead(kind.bytes, callId, value.byteLength));
    const written = this.#write(value);
    socket.uncork();
    return written;
  }

  /** Resolves when the peer can take more, so that a stream never piles up in memory behind a slow reader. */
  async #write(frame: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (socket.destroyed || socket.write(frame)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done);
        socket.off('close', done);
        resolve();
      };
      socket.on('drain', done);
      socket.on('close', done);
    });
  }
}

type SentKind =
  | { json: typeof FRAME.result; bytes: typeof FRAME.resultBytes }
  | { json: typeof FRAME.data; bytes: typeof FRAME.dataBytes };

function callWithBytes(payload: Buffer): Call {
  const { json, bytes } = decodeBytesCall(payload);
  const call = fromJson(json) as Call;
  return { ...call, input: { ...(call.input as object), bytes } };
}
