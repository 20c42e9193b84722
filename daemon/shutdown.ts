import { createBroadcast } from './broadcast.ts';

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
  /** Fires when somebody will not wait for the servers any longer: they are left to themselves. */
  readonly hurried: AbortSignal;
  begin(request: { withServers: boolean }): void;
  hurry(): void;
  /** Tells everybody who follows the shutdown. */
  say(line: string): void;
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** Nothing more will be said. */
  end(): void;
}

/** `print` shows a line to the person at the daemon's own terminal. */
export function createShutdown(print: (line: string) => void): Shutdown {
  const said = createBroadcast<string>();
  const hurried = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const begun = new AbortController();
  let withServers = false;
  return {
    requested,
    begun: begun.signal,
    get withServers() {
      return withServers;
    },
    hurried: hurried.signal,
    begin(request) {
      if (begun.signal.aborted) return;
      withServers = request.withServers;
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

/**
 * Ctrl-C stops everything, servers included; a second one leaves them running. SIGTERM (an upgrade, the system's own shutdown) and
 * SIGHUP (the terminal was closed) leave them running at once. `now` answers milliseconds. Returns how to stop listening.
 */
export function obeySignals(
  shutdown: Shutdown,
  { print, now }: { print: (line: string) => void; now: () => number },
): () => void {
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
  const handlers = { SIGINT: interrupt, SIGTERM: terminate, SIGHUP: terminate };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
}
