import { PHASES } from '../../shared/domain/phase.ts';
import type { InstanceRecord } from '../upstream/instance-view.ts';
import { type Family, type Labels, samplesOf } from './family.ts';

const BYTES_PER_MIB = 1024 * 1024;

export function instanceLabels({ config }: InstanceRecord): Labels {
  return { instance: config.id, software: config.software };
}

/** Metrics from the instance view, without a call. `now` in milliseconds since the epoch. */
export function instanceMetrics(records: readonly InstanceRecord[], now: number): Family[] {
  const gauge = (name: string, help: string, sample: (record: InstanceRecord) => number | undefined): Family => ({
    name: `gamekeeper_instance_${name}`,
    help,
    type: 'gauge',
    samples: samplesOf(records, instanceLabels, sample),
  });
  return [
    {
      name: 'gamekeeper_instances',
      help: 'Instances by phase.',
      type: 'gauge',
      samples: samplesOf(
        PHASES,
        (phase) => ({ phase }),
        (phase) => records.filter(({ runtime }) => runtime.phase === phase).length,
      ),
    },
    gauge('up', '1 while the game server runs and players can join, else 0.', ({ runtime }) =>
      runtime.phase === 'running' ? 1 : 0,
    ),
    gauge('cpu_ratio', 'Processor use of the whole process tree; 1 is one core.', ({ runtime: { cpuPercent } }) =>
      cpuPercent === undefined ? undefined : cpuPercent / 100,
    ),
    gauge('memory_bytes', 'Resident memory of the whole process tree.', ({ runtime: { memoryUsedMb } }) =>
      memoryUsedMb === undefined ? undefined : memoryUsedMb * BYTES_PER_MIB,
    ),
    gauge(
      'memory_limit_bytes',
      'Memory that the game server was given.',
      ({ config }) => config.memoryMb * BYTES_PER_MIB,
    ),
    gauge(
      'tick_time_seconds',
      'Mean work of one tick, as the game server told; 0.05 and more is a lag.',
      ({ runtime: { tickTimeMs } }) => (tickTimeMs === undefined ? undefined : tickTimeMs / 1000),
    ),
    gauge('ticks_per_second', 'Ticks per second; 20 where the game server keeps up.', ({ runtime }) => runtime.tps),
    gauge('players', 'Players online.', ({ runtime }) => runtime.playersOnline),
    gauge('players_limit', 'Most players that the game server lets in.', ({ runtime }) => runtime.maxPlayers),
    gauge('start_time_seconds', 'When the game process was started, since the epoch.', ({ runtime: { startedAt } }) =>
      startedAt === undefined ? undefined : startedAt / 1000,
    ),
    gauge('uptime_seconds', 'For how long the game process has been running.', ({ runtime: { startedAt } }) =>
      startedAt === undefined ? undefined : Math.max(0, (now - startedAt) / 1000),
    ),
  ];
}
