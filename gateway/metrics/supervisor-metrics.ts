import type { SupervisorStats } from '../upstream/stats.ts';
import { type Family, type Labels, samplesOf } from './family.ts';

export interface AnsweredSupervisor {
  labels: Labels;
  stats: SupervisorStats;
}

export function supervisorMetrics(supervisors: readonly AnsweredSupervisor[]): Family[] {
  const labels = ({ labels: own }: AnsweredSupervisor) => own;
  const counter = (name: string, help: string, sample: (stats: SupervisorStats) => number): Family => ({
    name: `gamekeeper_${name}_total`,
    help,
    type: 'counter',
    samples: samplesOf(supervisors, labels, ({ stats }) => sample(stats)),
  });
  return [
    counter('console_lines', 'Lines of the console.', ({ console }) => console.lines),
    counter('console_bytes', 'Bytes that the game server printed.', ({ console }) => console.bytes),
    counter(
      'console_redactions',
      'Addresses, secrets and the like taken out of the console.',
      ({ console }) => console.redactions,
    ),
    counter(
      'rcon_connections',
      'Connections made over RCON; all but the first of a run are reconnects.',
      ({ rcon }) => rcon.connections,
    ),
    counter('rcon_errors', 'Commands that got no answer over RCON.', ({ rcon }) => rcon.errors),
    {
      name: 'gamekeeper_rcon_latency_seconds',
      help: 'Time from a command over RCON to its whole answer.',
      type: 'histogram',
      samples: samplesOf(supervisors, labels, ({ stats }) => stats.rcon.latency),
    },
  ];
}
