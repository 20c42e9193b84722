import type { Command } from 'commander';
import { shownName } from '../../../shared/node/files/file-name.ts';
import type { FileSearch, FileUsage, TrashEntry } from '../../../shared/schema/files.ts';
import { filesAddress } from '../api/files-address.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatBytes, formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const ID = 'Id of the server';

const USAGE_COLUMNS: readonly Column<FileUsage['entries'][number]>[] = [
  { title: 'NAME', cell: ({ name, kind }) => `${shownName(name)}${kind === 'folder' ? '/' : ''}` },
  { title: 'SIZE', cell: ({ sizeBytes }) => formatBytes(sizeBytes), align: 'right' },
  { title: 'FILES', cell: ({ files }) => String(files), align: 'right' },
];

const TRASH_COLUMNS: readonly Column<TrashEntry>[] = [
  { title: 'ID', cell: ({ trashId }) => trashId },
  { title: 'WAS', cell: ({ path }) => shownName(path) },
  { title: 'DELETED', cell: ({ deletedAt }) => formatTime(deletedAt) },
  { title: 'UNTIL', cell: ({ expiresAt }) => formatTime(expiresAt) },
];

/** Adds the commands of `files` that look through many files. */
export function addFinding(files: Command): void {
  withCommonOptions(files.command('find'))
    .description('Search for files by name, by what is in them, or both')
    .argument('<id>', ID)
    .argument('[name]', 'Part of the name, or "*.yml"')
    .option('-c, --contains <text>', 'Part of a line in a text file')
    .option('--in <folder>', "Folder to search (default: the server's folder)", '')
    .action(async (id: string, name: string | undefined, options: FindOptions, command: Command) => {
      const session = sessionOf(command);
      const { contains, in: path } = options;
      const query = {
        path,
        limit: '1000',
        ...(name !== undefined && { name }),
        ...(contains !== undefined && { contains }),
      };
      const { body } = await session.api.request<FileSearch>('GET', filesAddress(id, '/search', query));
      session.answer(body, found);
    });

  withCommonOptions(files.command('usage'))
    .description('Show what fills a folder, the largest first')
    .argument('<id>', ID)
    .argument('[path]', "Folder (default: the server's folder)", '')
    .action(async (id: string, path: string, _options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<FileUsage>('GET', filesAddress(id, '/usage', { path }));
      session.answer(body, used);
    });

  withCommonOptions(files.command('trash'))
    .description('List what was deleted in the last 7 days')
    .argument('<id>', ID)
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<{ entries: TrashEntry[] }>('GET', filesAddress(id, '/trash', {}));
      session.answer(body, ({ entries }) =>
        entries.length === 0 ? 'The trash is empty.' : table(TRASH_COLUMNS, entries),
      );
    });
}

interface FindOptions {
  contains?: string;
  in: string;
}

function found({ matches, stoppedBy }: FileSearch): string {
  const lines = matches.flatMap(({ path, lines }) =>
    lines ? lines.map(({ number, text }) => `${shownName(path)}:${number}: ${shownName(text)}`) : [shownName(path)],
  );
  if (stoppedBy) lines.push('There is more. Search a single folder, or for something rarer.');
  return lines.length === 0 ? 'Nothing found.' : lines.join('\n');
}

function used({ entries, sizeBytes, files, keptBytes, stoppedBy }: FileUsage): string {
  const parts = [`${formatBytes(sizeBytes)} in ${files} ${files === 1 ? 'file' : 'files'}.`];
  if (keptBytes) parts.push(`The trash and unfinished uploads have another ${formatBytes(keptBytes)}.`);
  if (stoppedBy) parts.push('There is more: the folder was too large to count all of it.');
  return [...(entries.length > 0 ? [table(USAGE_COLUMNS, entries)] : []), parts.join(' ')].join('\n');
}
