import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import type { ServiceManager } from './service-manager.ts';

/** Under `npm start` one Ctrl-C arrives twice within a millisecond. Only a later one counts as a second Ctrl-C. Milliseconds. */
const SECOND_PRESS_AFTER_MS = 1_000;

/** Whether and how the daemon should end. */
export interface Shutdown {
  /** Resolves when the shutdown is requested. */
  readonly requested: Promise<void>;
  /** Fires when the shutdown is requested. */
  readonly begun: AbortSignal;
  /** Whether the game servers should be stopped as well. */
  readonly withServers: boolean;
  /** By when the servers should have stopped, by `performance.now()`. Absent: each has its own stop timeout. */
  readonly deadline: number | undefined;
  /** Fires when the daemon should exit without waiting for the servers. */
  readonly hurried: AbortSignal;
  begin(request: ShutdownRequest): void;
  hurry(): void;
  /** Prints a line at the daemon's terminal and sends it to everyone who follows the shutdown. */
  say(line: string): void;
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** Ends all `lines`. */
  end(): void;
}

export interface ShutdownRequest {
  withServers: boolean;
  deadline?: number;
}

/** `print` writes a line to the daemon's own terminal. */
export function createShutdown(print: (line: string) => void): Shutdown {
  const lines = createBroadcast<string>();
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
      lines.publish(line);
    },
    lines: lines.subscribe,
    end: lines.end,
  };
}

export interface SignalOptions {
  print: (line: string) => void;
  /** Milliseconds. */
  now: () => number;
  /** The service manager that runs this daemon, if any. */
  manager: ServiceManager | undefined;
}

/**
 * Shuts down on signals. Ctrl-C stops the servers as well; a second Ctrl-C leaves them running. SIGTERM (an upgrade) and SIGHUP (the terminal
 * was closed) leave them running, unless a service manager sends SIGTERM because the machine shuts down: then they are stopped within its
 * time limit. Returns a function that stops listening.
 */
export function obeySignals(shutdown: Shutdown, { print, now, manager }: SignalOptions): () => void {
  let interruptedAt: number | undefined;
  const interrupt = () => {
    if (interruptedAt === undefined) {
      interruptedAt = now();
      print('Stopping. Press Ctrl-C again to end Gamekeeper without waiting; servers that still run keep running.');
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
