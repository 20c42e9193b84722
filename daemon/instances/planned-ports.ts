import type { InstanceConfig } from '../../shared/schema/instance.ts';

/** A copy of a large server takes long; one that takes longer finds that its port may have been given away, and says so at its start. */
const KEPT_MS = 60 * 60_000;

/** Ports of instances that are planned but do not exist yet: nobody else is given them meanwhile. */
export interface PlannedPorts {
  keep(config: InstanceConfig): void;
  all(): number[];
}

/** @param now milliseconds of a clock that only goes forward */
export function createPlannedPorts(now: () => number): PlannedPorts {
  let plans: { ports: number[]; until: number }[] = [];
  return {
    keep: ({ port, rcon }) => void plans.push({ ports: rcon ? [port, rcon.port] : [port], until: now() + KEPT_MS }),
    all() {
      plans = plans.filter(({ until }) => until > now());
      return plans.flatMap(({ ports }) => ports);
    },
  };
}
