import { ListPingError, type ListPingFailure } from '../../../shared/node/list-ping/list-ping-error.ts';
import type { ServerPing } from '../../../shared/node/list-ping/ping-server.ts';
import { createUsageMeter, type Usage } from './usage.ts';

/** CPU and memory. The interval that `watch` of the contract promises. */
const USAGE_EVERY_MS = 2_000;
/** Often enough for a list of servers. Each ping is a connection that the game has to answer. */
export const PING_EVERY_MS = 5_000;
/** For a game that has never answered, and so probably does not know this ping. */
const UNANSWERED_PING_EVERY_MS = 60_000;
/** How many pings a new game may leave unanswered before the interval grows. */
const FIRST_PINGS = 6;
const PING_TIMEOUT_MS = 2_000;

export interface Vitals {
  readonly usage: Usage | undefined;
  readonly ping: { online: number; max: number; sample: readonly string[] } | undefined;
  stop(): void;
}

export type PingOutcome = { answer: ServerPing; failure?: never } | { answer?: never; failure: ListPingFailure };

export interface VitalsOptions {
  /** The game process; `startedAt` by the clock of `now`. */
  process: { pid: number; startedAt: number };
  /** Asks the game for its server list entry; absent if it has none. Throws ListPingError. */
  ask: ((timeoutMs: number) => Promise<ServerPing>) | undefined;
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
  let last: ServerPing | undefined;
  let hasAnswered = false;
  let stopped = false;
  let unanswered = 0;
  let pingTimer: NodeJS.Timeout | undefined;

  async function measure(): Promise<void> {
    const measured = await meter();
    if (stopped || measured === undefined) return;
    usage = measured;
    onChange();
  }

  async function ping(once: NonNullable<VitalsOptions['ask']>): Promise<void> {
    const outcome = await once(PING_TIMEOUT_MS).then((answer) => ({ answer }), failureOf);
    if (stopped) return;
    const { answer } = outcome;
    hasAnswered ||= answer !== undefined;
    unanswered = answer ? 0 : unanswered + 1;
    // Without an answer the player count is unknown; the last one may be wrong.
    const changed = last?.online !== answer?.online || last?.max !== answer?.max;
    last = answer;
    if (changed) onChange();
    onPing(outcome);
    const rest = !hasAnswered && unanswered > FIRST_PINGS ? UNANSWERED_PING_EVERY_MS : pingEveryMs;
    if (!stopped) pingTimer = setTimeout(() => void ping(once), rest);
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
