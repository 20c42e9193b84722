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
    counter('console_lines', 'Console lines.', ({ console }) => console.lines),
    counter('console_bytes', 'Bytes printed by the game server.', ({ console }) => console.bytes),
    counter(
      'console_redactions',
      'Addresses, secrets and other matches that were redacted.',
      ({ console }) => console.redactions,
    ),
    counter(
      'rcon_connections',
      'RCON connections made. All but the first of a run are reconnects.',
      ({ rcon }) => rcon.connections,
    ),
    counter('rcon_errors', 'RCON commands without an answer.', ({ rcon }) => rcon.errors),
    {
      name: 'gamekeeper_rcon_latency_seconds',
      help: 'Time from an RCON command to its complete answer.',
      type: 'histogram',
      samples: samplesOf(supervisors, labels, ({ stats }) => stats.rcon.latency),
    },
  ];
}
