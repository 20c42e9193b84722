import type { Command } from 'commander';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import type { FileDifference, FileDifferences } from '../../../shared/schema/backup-files.ts';
import type { FileList } from '../../../shared/schema/files.ts';
import { allPages } from '../api/all-pages.ts';
import { copyOut } from '../api/copy-out.ts';
import { runJob } from '../api/follow-job.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { FILE_COLUMNS } from '../terminal/file-columns.ts';
import { type Column, table } from '../terminal/table.ts';

const DIFFERENCES: readonly Column<FileDifference>[] = [
  { title: 'TODAY', cell: ({ change }) => change },
  {
    title: 'PATH',
    cell: ({ path: name, backup, today }) => ((today ?? backup)?.kind === 'folder' ? `${name}/` : name),
  },
];

interface FilesOptions {
  output?: string;
  compare?: boolean;
}

/** Adds `backup files` and `backup restore-files`. */
export function addBackupFiles(backup: Command): void {
  withCommonOptions(backup.command('files'))
    .description('List the files in a backup, or copy one out of it')
    .argument('<id>', 'Id of the server')
    .argument('<backupId>', 'Id of the backup; see: gamekeeper backups <id>')
    .argument('[path]', "File or folder in the backup (default: the server's folder)", '')
    .option('-o, --output <file>', 'Copy the file at this path out of the backup')
    .option('--compare', "Show what differs from today's files")
    .action(async (id: string, backupId: string, at: string, options: FilesOptions, command: Command) => {
      const session = sessionOf(command);
      const files = filesOf(id, backupId);
      if (options.output !== undefined)
        return copyOut(session, `${files}/content?path=${encodeURIComponent(at)}`, options.output);
      if (options.compare) return compare(session, `${files}/compare?path=${encodeURIComponent(at)}`);
      await list(session, `${files}?path=${encodeURIComponent(at)}`);
    });

  withCommonOptions(backup.command('restore-files'))
    .description('Put files or folders of a backup back into a stopped server')
    .argument('<id>', 'Id of the server')
    .argument('<backupId>', 'Id of the backup; see: gamekeeper backups <id>')
    .argument('<paths...>', 'Files and folders in the backup; see: gamekeeper backup files <id> <backupId>')
    .action(async (id: string, backupId: string, paths: string[], _options, command: Command) => {
      const session = sessionOf(command);
      const at = `${filesOf(id, backupId)}/restore`;
      if (session.interactive) {
        await runJob(session, { path: at, body: { paths }, title: 'Restore' });
        session.answer(paths, (names) => `Restored ${names.join(', ')}. Start the server: npx gamekeeper start ${id}`);
      } else {
        const { body } = await session.api.request<ActionResponse>('POST', at, { body: { paths } });
        session.answer(body, ({ message }) => message);
      }
    });
}

function filesOf(id: string, backupId: string): string {
  return `/instances/${encodeURIComponent(id)}/backups/${encodeURIComponent(backupId)}/files`;
}

async function list(session: Session, address: string): Promise<void> {
  const pages = await allPages<FileList>(session, address);
  const entries = pages.flatMap((page) => page.entries);
  session.answer({ entries }, (all) =>
    all.entries.length === 0 ? 'This folder is empty.' : table(FILE_COLUMNS, all.entries),
  );
}

async function compare(session: Session, address: string): Promise<void> {
  const pages = await allPages<FileDifferences>(session, address);
  const differences = pages.flatMap((page) => page.differences);
  session.answer({ differences }, (all) =>
    all.differences.length === 0 ? "Nothing differs from today's files." : table(DIFFERENCES, all.differences),
  );
}
