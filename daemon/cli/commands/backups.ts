import type { Command } from 'commander';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Answer } from '../api/api-client.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { formatBytes, formatSeconds, formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<Backup>[] = [
  { title: 'ID', cell: ({ backupId }) => backupId },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
  { title: 'SIZE', cell: ({ sizeBytes }) => formatBytes(sizeBytes), align: 'right' },
  { title: 'TOOK', cell: ({ durationMs }) => formatSeconds(durationMs / 1000), align: 'right' },
  { title: 'REASON', cell: ({ reason, pinned }) => `${reason}${pinned ? ', pinned' : ''}` },
  { title: 'WORLD', cell: ({ quiesced }) => (quiesced ? 'saved and locked' : 'not locked') },
  { title: 'OMITTED', cell: ({ omittedCount }) => (omittedCount === 0 ? '-' : String(omittedCount)), align: 'right' },
  { title: 'LOCAL', cell: ({ local, lastDrill }) => `${local}${lastDrill?.ok ? ', restore tested' : ''}` },
  { title: 'COPIES', cell: sayCopies },
];

export function addBackups(program: Command): void {
  withCommonOptions(program.command('backups'))
    .description("List a server's backups")
    .argument('<id>', 'Id of the server')
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      session.answer(await allBackups(session, id), (backups) =>
        backups.length === 0
          ? `There are no backups yet. Create one: npx gamekeeper backup ${id}`
          : table(COLUMNS, backups),
      );
    });
}

async function allBackups({ api }: Session, id: string): Promise<Backup[]> {
  const address = `/instances/${encodeURIComponent(id)}/backups`;
  let page: Answer<Backup[]> = await api.request('GET', address);
  let backups = page.body;
  for (let next = nextPage(page); next !== undefined; next = nextPage(page)) {
    page = await api.request('GET', `${address}${next}`);
    backups = [...backups, ...page.body];
  }
  return backups;
}

function nextPage({ headers }: Answer<unknown>): string | undefined {
  return /^<([^>]*)>; rel="next"$/.exec(String(headers.link))?.[1];
}

function sayCopies({ cloudStatus, replicas }: Backup): string {
  if (replicas.length === 0) return cloudStatus.replaceAll('_', ' ');
  return replicas
    .map(({ store, state, percent }) => `${store} ${state}${percent === undefined ? '' : ` ${Math.floor(percent)} %`}`)
    .join(', ');
}
