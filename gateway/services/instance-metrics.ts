import { Gauge } from 'prom-client';
import { PHASES } from '../../shared/domain/phase.ts';
import type { Metrics } from '../http/metrics.ts';
import type { InstanceRecord, InstanceView } from '../upstream/instance-view.ts';

const BYTES_PER_MIB = 1024 * 1024;
const LABELS = ['instance', 'software'] as const;

/** Figures of the instances, read from the view at each scrape. */
export function exposeInstances({ registry }: Metrics, view: InstanceView): void {
  new Gauge({
    name: 'gamekeeper_instances',
    help: 'Instances by phase.',
    labelNames: ['phase'],
    registers: [registry],
    collect() {
      for (const phase of PHASES) this.set({ phase }, 0);
      for (const { runtime } of view.all()) this.inc({ phase: runtime.phase });
    },
  });

  const gauge = (name: string, help: string, figure: (record: InstanceRecord) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: LABELS,
      registers: [registry],
      collect() {
        this.reset();
        for (const record of view.all()) {
          const value = figure(record);
          if (value !== undefined) this.set({ instance: record.config.id, software: record.config.software }, value);
        }
      },
    });

  gauge('gamekeeper_instance_up', '1 while the game server runs and players can join, else 0.', ({ runtime }) =>
    runtime.phase === 'running' ? 1 : 0,
  );
  gauge('gamekeeper_instance_cpu_ratio', 'Processor use of the whole process tree; 1 is one core.', ({ runtime }) =>
    runtime.cpuPercent === undefined ? undefined : runtime.cpuPercent / 100,
  );
  gauge('gamekeeper_instance_memory_bytes', 'Resident memory of the whole process tree.', ({ runtime }) =>
    runtime.memoryUsedMb === undefined ? undefined : runtime.memoryUsedMb * BYTES_PER_MIB,
  );
  gauge('gamekeeper_instance_players', 'Players online.', ({ runtime }) => runtime.playersOnline);
  gauge(
    'gamekeeper_instance_start_time_seconds',
    'When the game process was started, since the epoch.',
    ({ runtime }) => (runtime.startedAt === undefined ? undefined : runtime.startedAt / 1000),
  );
}
