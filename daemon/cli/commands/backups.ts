import type { Command } from 'commander';
import type { Backup } from '../../../shared/schema/backup.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { sayBytes, saySeconds, sayTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<Backup>[] = [
  { title: 'ID', cell: ({ backupId }) => backupId },
  { title: 'MADE', cell: ({ createdAt }) => sayTime(createdAt) },
  { title: 'SIZE', cell: ({ sizeBytes }) => sayBytes(sizeBytes), align: 'right' },
  { title: 'TOOK', cell: ({ durationMs }) => saySeconds(durationMs / 1000), align: 'right' },
  { title: 'WHY', cell: ({ reason, pinned }) => `${reason}${pinned ? ', pinned' : ''}` },
  { title: 'WORLD', cell: ({ quiesced }) => (quiesced ? 'held still' : 'not held still') },
  { title: 'HERE', cell: ({ local, lastDrill }) => `${local}${lastDrill?.ok ? ', drilled' : ''}` },
  { title: 'COPIES', cell: sayCopies },
];

export function addBackups(program: Command): void {
  withCommonOptions(program.command('backups'))
    .description("list a server's backups")
    .argument('<id>', 'of the server')
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<Backup[]>('GET', `/instances/${encodeURIComponent(id)}/backups`);
      session.answer(body, (backups) =>
        backups.length === 0
          ? `There are no backups yet. Make one: npx gamekeeper backup ${id}`
          : table(COLUMNS, backups),
      );
    });
}

function sayCopies({ cloudStatus, replicas }: Backup): string {
  if (replicas.length === 0) return cloudStatus.replaceAll('_', ' ');
  return replicas
    .map(({ store, state, percent }) => `${store} ${state}${percent === undefined ? '' : ` ${Math.floor(percent)} %`}`)
    .join(', ');
}
