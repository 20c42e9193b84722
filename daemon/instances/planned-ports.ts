import type { InstanceConfig } from '../../shared/schema/instance.ts';

/** Copying a large server takes long. After this time another server may take its port; its start then reports the conflict. */
const KEPT_MS = 60 * 60_000;

/** Reserves the ports of instances that are planned but do not exist yet. */
export interface PlannedPorts {
  keep(config: InstanceConfig): void;
  all(): number[];
}

/** `now` returns milliseconds of a monotonic clock. */
export function createPlannedPorts(now: () => number): PlannedPorts {
  let plans: { ports: number[]; until: number }[] = [];
  return {
    keep({ port, rcon, ports = {} }) {
      const planned = [port, ...(rcon ? [rcon.port] : []), ...Object.values(ports)];
      plans.push({ ports: planned, until: now() + KEPT_MS });
    },
    all() {
      plans = plans.filter(({ until }) => until > now());
      return plans.flatMap(({ ports }) => ports);
    },
  };
}
