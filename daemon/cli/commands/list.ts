import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Instance } from '../../../shared/schema/instance.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatBytes, formatSeconds } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const BYTES_PER_MIB = 1024 * 1024;

const COLUMNS: readonly Column<Instance>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'SOFTWARE', cell: ({ software, version }) => `${software} ${version === software ? '' : version}`.trim() },
  { title: 'STATE', cell: stateOf },
  { title: 'PORT', cell: ({ port }) => String(port), align: 'right' },
  { title: 'PLAYERS', cell: playersOf, align: 'right' },
  {
    title: 'CPU',
    cell: ({ cpuPercent }) => (cpuPercent === undefined ? '' : `${Math.round(cpuPercent)} %`),
    align: 'right',
  },
  {
    title: 'MEMORY',
    cell: ({ memoryUsedMb }) => (memoryUsedMb === undefined ? '' : formatBytes(memoryUsedMb * BYTES_PER_MIB)),
    align: 'right',
  },
  { title: 'UP', cell: ({ uptimeSeconds }) => (uptimeSeconds === undefined ? '' : formatSeconds(uptimeSeconds)) },
];

export function addList(program: Command): void {
  withCommonOptions(program.command('list'))
    .description('List the servers with their state, players, CPU and memory')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<Instance[]>('GET', '/instances');
      session.answer(body, (instances) =>
        instances.length === 0
          ? 'There are no servers yet. Create one: npx gamekeeper create --software demo --name Demo'
          : table(COLUMNS, instances),
      );
    });
}

function stateOf({ status, phase = status, activity, degraded }: Instance): string {
  const colour = phase === 'running' ? 'green' : phase === 'crashed' ? 'red' : status === 'stopped' ? 'dim' : 'yellow';
  return (
    styleText(colour, phase, { stream: process.stdout }) +
    [activity, degraded].map((more) => (more ? `, ${more}` : '')).join('')
  );
}

function playersOf({ playersOnline, maxPlayers }: Instance): string {
  if (playersOnline === undefined) return '';
  return maxPlayers === undefined ? String(playersOnline) : `${playersOnline}/${maxPlayers}`;
}
