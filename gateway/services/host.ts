import type { HostState } from '../../shared/schema/host.ts';
import type { MachineUsage } from '../metrics/machine-usage.ts';

/** Several open panels share a reading. Milliseconds. */
const FRESH_MS = 2_000;

export interface HostServiceOptions {
  usage: () => Promise<MachineUsage>;
  /** Resolves to the time of the newest good backup of each instance, milliseconds. */
  newestBackups: () => Promise<ReadonlyMap<string, number>>;
  /** Resolves to the ids of the instances with a schedule that does not run although it is enabled. */
  pausedSchedules: () => Promise<string[]>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface HostService {
  state(): Promise<HostState>;
}

export function createHostService({ usage, newestBackups, pausedSchedules, now }: HostServiceOptions): HostService {
  let last: { at: number; state: Promise<HostState> } | undefined;

  async function read(): Promise<HostState> {
    const unread = () => undefined;
    const [machine, newest, paused] = await Promise.all([
      usage(),
      newestBackups().catch(unread),
      pausedSchedules().catch(unread),
    ]);
    const backups =
      newest && Array.from(newest, ([instanceId, at]) => ({ instanceId, createdAt: new Date(at).toISOString() }));
    return { ...machine, ...(backups && { backups }), ...(paused && { pausedSchedules: paused }) };
  }

  return {
    state() {
      if (!last || now() - last.at >= FRESH_MS) last = { at: now(), state: read() };
      return last.state;
    },
  };
}
