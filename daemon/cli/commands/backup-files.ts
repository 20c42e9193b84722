import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import type { FileDifference, FileDifferences } from '../../../shared/schema/backup-files.ts';
import type { FileEntry, FileList } from '../../../shared/schema/files.ts';
import { Failure } from '../api/failure.ts';
import { runJob } from '../api/follow-job.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { formatBytes, formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const FILES: readonly Column<FileEntry>[] = [
  { title: 'NAME', cell: ({ name, kind }) => (kind === 'folder' ? `${name}/` : name) },
  { title: 'SIZE', cell: ({ kind, sizeBytes }) => (kind === 'file' ? formatBytes(sizeBytes) : kind), align: 'right' },
  { title: 'CHANGED', cell: ({ modifiedAt }) => formatTime(modifiedAt) },
];

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
    all.entries.length === 0 ? 'This folder is empty.' : table(FILES, all.entries),
  );
}

async function compare(session: Session, address: string): Promise<void> {
  const pages = await allPages<FileDifferences>(session, address);
  const differences = pages.flatMap((page) => page.differences);
  session.answer({ differences }, (all) =>
    all.differences.length === 0 ? "Nothing differs from today's files." : table(DIFFERENCES, all.differences),
  );
}

async function allPages<Page extends { next?: string | undefined }>(
  { api }: Session,
  address: string,
): Promise<Page[]> {
  const pages: Page[] = [];
  let next: string | undefined;
  do {
    const cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
    const { body } = await api.request<Page>('GET', `${address}${cursor}`);
    pages.push(body);
    next = body.next;
  } while (next !== undefined);
  return pages;
}

/** Never replaces a file. Leaves nothing behind if the copy breaks off. */
async function copyOut(session: Session, address: string, output: string): Promise<void> {
  const target = path.resolve(output);
  const content = await session.api.open(address);
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(content, file);
  } catch (error) {
    content.destroy();
    if (hasErrorCode(error, 'EEXIST')) throw new Failure(`${target} exists already. Choose another name for the copy.`);
    await rm(target, { force: true });
    throw new Failure(`The copy broke off: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  session.answer(
    { success: true, file: target, sizeBytes: file.bytesWritten },
    ({ file: name, sizeBytes }) => `Copied ${formatBytes(sizeBytes)} to ${name}.`,
  );
}
