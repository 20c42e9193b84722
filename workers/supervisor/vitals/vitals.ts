import type { ServerPing } from '../players/list-ping.ts';
import { ListPingError, type ListPingFailure } from '../players/list-ping-error.ts';
import { createUsageMeter, type Usage } from './usage.ts';

/** CPU and memory, and what `watch` promises. */
const USAGE_EVERY_MS = 2_000;
/** Often enough for a list of servers; each one makes the game answer a connection. */
export const PING_EVERY_MS = 5_000;
/** For what has never answered: it is no game that knows this ping, and need not be bothered. */
const FRUITLESS_PING_EVERY_MS = 60_000;
/** How many times something that has just started is asked at the short interval. */
const PATIENT_PINGS = 6;
const PING_TIMEOUT_MS = 2_000;

export interface Vitals {
  readonly usage: Usage | undefined;
  readonly ping: { online: number; max: number; sample: readonly string[] } | undefined;
  stop(): void;
}

/** An answer, or why there is none. */
export type PingOutcome = { answer: ServerPing; failure?: never } | { answer?: never; failure: ListPingFailure };

export interface VitalsOptions {
  pid: number;
  /** When the game was started, by `now`. */
  startedAt: number;
  /** Asks the game as a server list does; absent: it does not answer that. Throws ListPingError. */
  ask: ((timeoutMs: number) => Promise<ServerPing>) | undefined;
  /** Between two pings. Milliseconds. */
  pingEveryMs: number;
  /** What each ping has brought. */
  onPing: (outcome: PingOutcome) => void;
  /** Milliseconds, for intervals. */
  now: () => number;
  onChange: () => void;
}

/** Looks after a running game: its use of the machine, and how many play. Types nothing into its console. */
export function watchVitals({ pid, startedAt, ask, pingEveryMs, now, onPing, onChange }: VitalsOptions): Vitals {
  const meter = createUsageMeter({ pid, startedAt, now });
  let usage: Usage | undefined;
  let last: ServerPing | undefined;
  let hasAnswered = false;
  let stopped = false;
  let fruitless = 0;
  let pingTimer: NodeJS.Timeout | undefined;

  async function measure(): Promise<void> {
    const measured = await meter();
    if (stopped || measured === undefined) return;
    usage = measured;
    onChange();
  }

  async function ping(once: NonNullable<VitalsOptions['ask']>): Promise<void> {
    const outcome = await once(PING_TIMEOUT_MS).then((answer) => ({ answer }), explained);
    if (stopped) return;
    const { answer } = outcome;
    hasAnswered ||= answer !== undefined;
    fruitless = answer ? 0 : fruitless + 1;
    // A server that does not answer has no count; the last one would be a lie.
    const changed = last?.online !== answer?.online || last?.max !== answer?.max;
    last = answer;
    if (changed) onChange();
    onPing(outcome);
    const rest = !hasAnswered && fruitless > PATIENT_PINGS ? FRUITLESS_PING_EVERY_MS : pingEveryMs;
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

function explained(error: unknown): PingOutcome {
  if (error instanceof ListPingError) return { failure: error.reason };
  throw error;
}
