import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { type AnyTRPCRouter, callTRPCProcedure, TRPCError } from '@trpc/server';
import { type CallContext, type Peer, protocolOf } from '../../contract/call.ts';
import { GamekeeperError, toCodedFailure } from '../../errors/gamekeeper-error.ts';
import { encodeFrame, encodeFrameHead, FRAME, type Frame, FrameReader, fromJson, toJson } from './frame.ts';

export interface IpcServerOptions<Service> {
  socketPath: string;
  /** Said in the hello, so that a client that dialled a recycled path notices: `daemon`, `jobs`, `supervisor:<id>`. */
  name: string;
  version: string;
  router: AnyTRPCRouter;
  service: Service;
  /** Called for failures that are not ours to explain to a user, with the procedure's path. */
  onError: (error: unknown, path: string) => void;
}

export interface IpcServer {
  /** Connections that are open now. */
  readonly connections: number;
  /** Closes the socket and every connection, and removes the socket file. */
  close(): Promise<void>;
}

interface Call {
  path: string;
  input?: unknown;
  requestId?: string;
}

/** Serves a tRPC router on a local socket (mode 0600) or named pipe. A stale socket file at the path is replaced. */
export async function serveIpc<Service>(options: IpcServerOptions<Service>): Promise<IpcServer> {
  const sockets = new Set<Socket>();
  let lastPeer = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    servePeer(socket, ++lastPeer, options);
  });
  if (process.platform !== 'win32') await rm(options.socketPath, { force: true });
  await listenPrivately(server, options.socketPath);
  return {
    get connections() {
      return sockets.size;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The umask closes the moment between bind and chmod in which others could connect. */
async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    server.listen(socketPath);
    await once(server, 'listening');
  } finally {
    process.umask(mask);
  }
  if (process.platform !== 'win32') await chmod(socketPath, 0o600);
}

function servePeer<Service>(socket: Socket, id: number, options: IpcServerOptions<Service>): void {
  const running = new Map<number, AbortController>();
  const closeListeners = new Set<() => void>();
  const reader = new FrameReader();
  const peer: Peer = {
    id,
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
  };

  socket.setNoDelay(true);
  socket.write(
    encodeFrame(
      FRAME.hello,
      0,
      toJson({
        protocol: protocolOf(options.name).newest,
        name: options.name,
        pid: process.pid,
        version: options.version,
      }),
    ),
  );
  socket.on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk, receive);
    } catch (error) {
      // Whatever dialled us does not speak this protocol: nothing useful can be answered.
      options.onError(error, 'frame');
      socket.destroy();
    }
  });
  // A reset by a peer that was killed is an ordinary end here; 'close' follows.
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    for (const controller of running.values()) controller.abort();
    for (const listener of closeListeners) listener();
  });

  function receive(frame: Frame): void {
    if (frame.kind === FRAME.abort) running.get(frame.id)?.abort();
    if (frame.kind !== FRAME.call) return;
    const call = fromJson(frame.payload) as Call;
    const controller = new AbortController();
    running.set(frame.id, controller);
    void answer(frame.id, call, controller).finally(() => running.delete(frame.id));
  }

  async function answer(callId: number, call: Call, controller: AbortController): Promise<void> {
    const ctx: CallContext<Service> = { service: options.service, peer, requestId: call.requestId };
    // The caller has only the router's type, so what kind of procedure it is comes from the router itself.
    const type = options.router._def.procedures[call.path]?._def.type ?? 'query';
    try {
      const result: unknown = await callTRPCProcedure({
        router: options.router,
        path: call.path,
        type,
        getRawInput: async () => call.input,
        ctx,
        signal: controller.signal,
        batchIndex: 0,
      });
      if (type === 'subscription') await stream(callId, result as AsyncIterable<unknown>, controller.signal);
      else await send(callId, result, FRAME.result, FRAME.resultBytes);
    } catch (error) {
      if (controller.signal.aborted) return;
      const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
      if (!(cause instanceof GamekeeperError)) options.onError(cause, call.path);
      await write(encodeFrame(FRAME.failure, callId, toJson(toCodedFailure(cause))));
    }
  }

  async function stream(callId: number, items: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
    for await (const item of items) {
      if (signal.aborted) return;
      await send(callId, item, FRAME.data, FRAME.dataBytes);
    }
    if (!signal.aborted) await write(encodeFrame(FRAME.end, callId, ''));
  }

  async function send(
    callId: number,
    value: unknown,
    json: typeof FRAME.result | typeof FRAME.data,
    bytes: typeof FRAME.resultBytes | typeof FRAME.dataBytes,
  ): Promise<void> {
    if (!(value instanceof Uint8Array)) return write(encodeFrame(json, callId, toJson(value)));
    if (socket.destroyed) return;
    // Written as they are, in one go with their head: a console's batches are not copied.
    socket.cork();
    socket.write(encodeFrameHead(bytes, callId, value.byteLength));
    const written = write(value);
    socket.uncork();
    return written;
  }

  /** Resolves when the peer has room again, so that a stream never piles up in memory behind a slow reader. */
  async function write(frame: Uint8Array): Promise<void> {
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
