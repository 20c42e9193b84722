import { ListPingError, type ListPingFailure } from '../../../shared/node/list-ping/list-ping-error.ts';
import type { ServerPing } from '../../../shared/node/list-ping/ping-server.ts';
import { pingPause } from './ping-pause.ts';
import { createUsageMeter, type Usage } from './usage.ts';

/** CPU and memory. The interval that `watch` of the contract promises. */
const USAGE_EVERY_MS = 2_000;
/** Often enough for a list of servers. Each ping is a connection that the game has to answer. */
export const PING_EVERY_MS = 5_000;
const PING_TIMEOUT_MS = 2_000;
/** Failures that are remembered. */
const MOST_KEPT = 20;

export interface Vitals {
  readonly usage: Usage | undefined;
  readonly ping: Pick<PlayerCount, 'online' | 'max' | 'sample'> | undefined;
  stop(): void;
}

/** Who is online, with what else a server list ping says. */
export type PlayerCount = Pick<ServerPing, 'online' | 'sample'> & Partial<ServerPing>;

export type AskForPlayers = (timeoutMs: number) => Promise<PlayerCount>;

export type PingOutcome = { answer: PlayerCount; failure?: never } | { answer?: never; failure: ListPingFailure };

export interface VitalsOptions {
  /** The game process; `startedAt` by the clock of `now`. */
  process: { pid: number; startedAt: number };
  /** Asks the game for its players; absent if it does not say. Throws ListPingError. */
  ask: AskForPlayers | undefined;
  /** Between two pings, milliseconds. */
  pingEveryMs: number;
  onPing: (outcome: PingOutcome) => void;
  /** A monotonic clock, milliseconds. */
  now: () => number;
  onChange: () => void;
}

/** Measures a running game: its CPU and memory, and how many players are online. Types nothing into its console. */
export function watchVitals({ process, ask, pingEveryMs, now, onPing, onChange }: VitalsOptions): Vitals {
  const meter = createUsageMeter({ ...process, now });
  let usage: Usage | undefined;
  let last: PlayerCount | undefined;
  let hasAnswered = false;
  let stopped = false;
  let failures: ListPingFailure[] = [];
  let pingTimer: NodeJS.Timeout | undefined;

  async function measure(): Promise<void> {
    const measured = await meter();
    if (stopped || measured === undefined) return;
    usage = measured;
    onChange();
  }

  async function ping(once: NonNullable<VitalsOptions['ask']>): Promise<void> {
    const outcome = await once(PING_TIMEOUT_MS).then((answer): PingOutcome => ({ answer }), failureOf);
    if (stopped) return;
    const { answer } = outcome;
    hasAnswered ||= answer !== undefined;
    failures = outcome.failure ? [...failures.slice(-MOST_KEPT), outcome.failure] : [];
    // Without an answer the player count is unknown; the last one may be wrong.
    const changed = last?.online !== answer?.online || last?.max !== answer?.max;
    last = answer;
    if (changed) onChange();
    onPing(outcome);
    const pauseMs = pingPause({ hasAnswered, failures }, pingEveryMs);
    if (!stopped && pauseMs !== undefined) pingTimer = setTimeout(() => void ping(once), pauseMs);
  }

  const usageTimer = setInterval(() => void measure(), USAGE_EVERY_MS);
  void measure();
  if (ask) void ping(ask);

  return {
    get usage() {
      return usage;
    },
    get ping() {
      return last;
    },
    stop() {
      stopped = true;
      clearInterval(usageTimer);
      clearTimeout(pingTimer);
    },
  };
}

function failureOf(error: unknown): PingOutcome {
  if (error instanceof ListPingError) return { failure: error.reason };
  throw error;
}
