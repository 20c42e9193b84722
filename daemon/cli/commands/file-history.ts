import type { Command } from 'commander';
import type { FileHistory, FileVersion, WrittenFile } from '../../../shared/schema/files.ts';
import { Failure } from '../api/failure.ts';
import { filesAddress } from '../api/files-address.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { formatBytes, formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<FileVersion>[] = [
  { title: 'VERSION', cell: ({ version }) => version },
  { title: 'WRITTEN', cell: ({ modifiedAt }) => formatTime(modifiedAt) },
  { title: 'REPLACED', cell: ({ replacedAt }) => formatTime(replacedAt) },
  { title: 'SIZE', cell: ({ sizeBytes }) => formatBytes(sizeBytes), align: 'right' },
];

/** Adds the commands of `files` for earlier versions. */
export function addHistory(files: Command): void {
  withCommonOptions(files.command('history'))
    .description('List the earlier versions of a file')
    .argument('<id>', 'Id of the server')
    .argument('<path>', "Path in the server's folder")
    .action(async (id: string, path: string, _options, command: Command) => {
      const session = sessionOf(command);
      session.answer(await historyOf(session, id, path), ({ versions }) =>
        versions.length === 0 ? 'There are no earlier versions.' : table(COLUMNS, versions),
      );
    });

  withCommonOptions(files.command('undo'))
    .description('Put an earlier version of a file back; this can be undone, too')
    .argument('<id>', 'Id of the server')
    .argument('<path>', "Path in the server's folder")
    .argument('[version]', 'As "gamekeeper files history" prints it (default: the latest)')
    .action(async (id: string, path: string, version: string | undefined, _options, command: Command) => {
      const session = sessionOf(command);
      const chosen = version ?? (await historyOf(session, id, path)).versions[0]?.version;
      if (chosen === undefined) throw new Failure(`There are no earlier versions of ${path}.`);
      const { body } = await session.api.request<WrittenFile>('POST', filesAddress(id, '/history/restore', {}), {
        body: { path, version: chosen },
      });
      session.answer(body, ({ path: name, sizeBytes }) => `${name} is as it was (${formatBytes(sizeBytes)}).`);
    });
}

async function historyOf(session: Session, id: string, path: string): Promise<FileHistory> {
  return (await session.api.request<FileHistory>('GET', filesAddress(id, '/history', { path }))).body;
}
