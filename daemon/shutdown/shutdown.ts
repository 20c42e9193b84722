import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import type { ServiceManager } from './service-manager.ts';

/** One Ctrl-C under `npm start` arrives twice within a millisecond: only what comes later than this is a second one. Milliseconds. */
const SECOND_PRESS_AFTER_MS = 1_000;

/** That the daemon is to end, and how. */
export interface Shutdown {
  /** Resolves when somebody has asked for it. */
  readonly requested: Promise<void>;
  /** Fires when somebody has asked for it. */
  readonly begun: AbortSignal;
  /** Whether the game servers are to be stopped as well. */
  readonly withServers: boolean;
  /** By when the servers are to have stopped, by `performance.now()`; absent: they have the time that each needs. */
  readonly deadline: number | undefined;
  /** Fires when somebody will not wait for the servers any longer: they are left to themselves. */
  readonly hurried: AbortSignal;
  begin(request: ShutdownRequest): void;
  hurry(): void;
  /** Tells everybody who follows the shutdown. */
  say(line: string): void;
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** Nothing more will be said. */
  end(): void;
}

export interface ShutdownRequest {
  withServers: boolean;
  deadline?: number;
}

/** `print` shows a line to the person at the daemon's own terminal. */
export function createShutdown(print: (line: string) => void): Shutdown {
  const said = createBroadcast<string>();
  const hurried = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const begun = new AbortController();
  let request: ShutdownRequest = { withServers: false };
  return {
    requested,
    begun: begun.signal,
    get withServers() {
      return request.withServers;
    },
    get deadline() {
      return request.deadline;
    },
    hurried: hurried.signal,
    begin(wanted) {
      if (begun.signal.aborted) return;
      request = wanted;
      begun.abort();
      resolve();
    },
    hurry: () => hurried.abort(),
    say(line) {
      print(line);
      said.publish(line);
    },
    lines: said.subscribe,
    end: said.end,
  };
}

export interface SignalOptions {
  print: (line: string) => void;
  /** Milliseconds. */
  now: () => number;
  /** What runs us as a service, if anything does. */
  manager: ServiceManager | undefined;
}

/**
 * Ctrl-C stops everything, servers included; a second one leaves them running. SIGTERM (an upgrade) and SIGHUP (the terminal was closed)
 * leave them running at once, unless a service manager sends SIGTERM because the whole machine goes down: then they are stopped within its
 * time. Returns how to stop listening.
 */
export function obeySignals(shutdown: Shutdown, { print, now, manager }: SignalOptions): () => void {
  let interruptedAt: number | undefined;
  const interrupt = () => {
    if (interruptedAt === undefined) {
      interruptedAt = now();
      print('Stopping. Press Ctrl-C again to leave running what still runs.');
    } else if (now() - interruptedAt > SECOND_PRESS_AFTER_MS) {
      shutdown.hurry();
    }
    shutdown.begin({ withServers: true });
  };
  const terminate = () => {
    if (shutdown.begun.aborted) shutdown.hurry();
    shutdown.begin({ withServers: false });
  };
  const managed = async (service: ServiceManager) => {
    const deadline = now() + service.stopWithinMs;
    if (await service.isEverythingEnding()) shutdown.begin({ withServers: true, deadline });
    else terminate();
  };
  const handlers = {
    SIGINT: interrupt,
    SIGTERM: () => (manager ? void managed(manager) : terminate()),
    SIGHUP: terminate,
  };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
}
