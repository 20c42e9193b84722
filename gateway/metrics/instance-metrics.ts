import { PHASES } from '../../shared/domain/instance/phase.ts';
import { type Clocks, uptimeOf } from '../../shared/domain/instance/uptime.ts';
import type { InstanceRecord } from '../upstream/instance-view.ts';
import { type Family, type Labels, samplesOf } from './family.ts';

const BYTES_PER_MIB = 1024 * 1024;

export function instanceLabels({ config }: InstanceRecord): Labels {
  return { instance: config.id, software: config.software };
}

/** Metrics from the instance view, without a call. */
export function instanceMetrics(records: readonly InstanceRecord[], now: Clocks): Family[] {
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
    gauge('up', '1 while the game server is running and players can join, else 0.', ({ runtime }) =>
      runtime.phase === 'running' ? 1 : 0,
    ),
    gauge('cpu_ratio', 'CPU usage of the whole process tree; 1 is one core.', ({ runtime: { cpuPercent } }) =>
      cpuPercent === undefined ? undefined : cpuPercent / 100,
    ),
    gauge('memory_bytes', 'Resident memory of the whole process tree.', ({ runtime: { memoryUsedMb } }) =>
      memoryUsedMb === undefined ? undefined : memoryUsedMb * BYTES_PER_MIB,
    ),
    gauge(
      'memory_limit_bytes',
      'Memory configured for the game server.',
      ({ config }) => config.memoryMb * BYTES_PER_MIB,
    ),
    gauge(
      'tick_time_seconds',
      'Mean duration of a tick, as reported by the game server. From 0.05 on it lags.',
      ({ runtime: { tickTimeMs } }) => (tickTimeMs === undefined ? undefined : tickTimeMs / 1000),
    ),
    gauge('ticks_per_second', 'Ticks per second; 20 if the game server keeps up.', ({ runtime }) => runtime.tps),
    gauge('players', 'Players online.', ({ runtime }) => runtime.playersOnline),
    gauge('players_limit', 'Maximum number of players.', ({ runtime }) => runtime.maxPlayers),
    gauge(
      'start_time_seconds',
      'Start time of the game process, in seconds since the epoch.',
      ({ runtime: { startedAt } }) => (startedAt === undefined ? undefined : startedAt / 1000),
    ),
    gauge('tunnel_up', '1 while players can connect through the tunnel, else 0.', ({ config, runtime: { tunnel } }) =>
      config.tunnel === undefined ? undefined : Number(tunnel?.state === 'up'),
    ),
    gauge('tunnel_ping_seconds', 'Latency of the last probe through the public address.', ({ runtime: { tunnel } }) =>
      tunnel && tunnel.pingMs >= 0 ? tunnel.pingMs / 1000 : undefined,
    ),
    gauge(
      'tunnel_reconnects',
      'How often the tunnel was lost and opened again since the game server was started.',
      ({ runtime: { tunnel } }) => tunnel?.reconnects,
    ),
    {
      name: 'gamekeeper_instance_tunnel_bytes_total',
      help: 'Bytes of players who connect through the tunnel, as of the last probe.',
      type: 'counter',
      samples: records.flatMap((record) => {
        const { fromPlayers, toPlayers } = record.runtime.tunnel?.traffic ?? {};
        if (fromPlayers === undefined || toPlayers === undefined) return [];
        const labels = (direction: string) => ({ ...instanceLabels(record), direction });
        return [
          { labels: labels('from_players'), value: fromPlayers },
          { labels: labels('to_players'), value: toPlayers },
        ];
      }),
    },
    gauge('uptime_seconds', 'Uptime of the game process.', ({ runtime }) => {
      const uptimeMs = uptimeOf(runtime, now);
      return uptimeMs === undefined ? undefined : uptimeMs / 1000;
    }),
  ];
}
