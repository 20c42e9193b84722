import { pingServer } from './players/list-ping.ts';
import { createUsageMeter, type Usage } from './usage.ts';

/** CPU and memory, and what `watch` promises. */
const USAGE_EVERY_MS = 2_000;
/** Often enough for a list of servers; each one makes the game answer a connection. */
const PING_EVERY_MS = 5_000;
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

export interface VitalsOptions {
  pid: number;
  /** When the game was started, by `now`. */
  startedAt: number;
  /** Where the game answers the server list ping; absent: nowhere. */
  address: { host: string; port: number } | undefined;
  /** Milliseconds, for intervals. */
  now: () => number;
  onChange: () => void;
}

/** Looks after a running game: its use of the machine, and how many play. Types nothing into its console. */
export function watchVitals({ pid, startedAt, address, now, onChange }: VitalsOptions): Vitals {
  const meter = createUsageMeter({ pid, startedAt, now });
  let usage: Usage | undefined;
  let ping: Vitals['ping'];
  let stopped = false;
  let fruitless = 0;
  let pingTimer: NodeJS.Timeout | undefined;

  async function measure(): Promise<void> {
    const measured = await meter();
    if (stopped || measured === undefined) return;
    usage = measured;
    onChange();
  }

  async function ask(target: { host: string; port: number }): Promise<void> {
    // A server that does not answer has no count; the last one would be a lie.
    const answer = await pingServer({ ...target, timeoutMs: PING_TIMEOUT_MS }).catch(() => undefined);
    if (stopped) return;
    fruitless = answer ? 0 : fruitless + 1;
    const changed = ping?.online !== answer?.online || ping?.max !== answer?.max;
    ping = answer;
    if (changed) onChange();
    const rest = fruitless > PATIENT_PINGS ? FRUITLESS_PING_EVERY_MS : PING_EVERY_MS;
    pingTimer = setTimeout(() => void ask(target), rest);
  }

  const usageTimer = setInterval(() => void measure(), USAGE_EVERY_MS);
  void measure();
  if (address) void ask(address);

  return {
    get usage() {
      return usage;
    },
    get ping() {
      return ping;
    },
    stop() {
      stopped = true;
      clearInterval(usageTimer);
      clearTimeout(pingTimer);
    },
  };
}
