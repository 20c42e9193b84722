import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { DeletedFile, FileList, WrittenFile } from '../../../shared/schema/files.ts';
import { allPages } from '../api/all-pages.ts';
import { copyOut } from '../api/copy-out.ts';
import { Failure } from '../api/failure.ts';
import { filesAddress } from '../api/files-address.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { FILE_COLUMNS } from '../terminal/file-columns.ts';
import { printable } from '../terminal/printable.ts';
import { formatBytes } from '../terminal/quantities.ts';
import { table } from '../terminal/table.ts';
import { editFile } from './edit-file.ts';
import { addArchives } from './file-archives.ts';
import { addDiff } from './file-diff.ts';
import { addHistory } from './file-history.ts';
import { addFinding } from './find-files.ts';

const ID = 'Id of the server';
const PATH = "Path in the server's folder, such as plugins/shop.yml";

/** Adds `files` with its commands. */
export function addFiles(program: Command): void {
  const files = program.command('files').description("List, read, change and delete a server's files");
  addReading(files);
  addFinding(files);
  addHistory(files);
  addDiff(files);
  addArchives(files);
  addChanging(files);
}

function addReading(files: Command): void {
  withCommonOptions(files.command('ls'))
    .description('List a folder')
    .argument('<id>', ID)
    .argument('[path]', "Folder (default: the server's folder)", '')
    .action(async (id: string, at: string, _options, command: Command) => {
      const session = sessionOf(command);
      const pages = await allPages<FileList>(session, filesAddress(id, '', { path: at, limit: '1000' }));
      session.answer({ entries: pages.flatMap((page) => page.entries) }, ({ entries }) =>
        entries.length === 0 ? 'This folder is empty.' : table(FILE_COLUMNS, entries),
      );
    });

  withCommonOptions(files.command('cat'))
    .description('Print a file')
    .argument('<id>', ID)
    .argument('<path>', PATH)
    .action(async (id: string, at: string, _options, command: Command) => {
      const content = await sessionOf(command).api.open(filesAddress(id, '/content', { path: at }));
      // A terminal obeys what is in the file; another program gets its bytes.
      if (process.stdout.isTTY) process.stdout.write(printable(await text(content)));
      else await pipeline(content, process.stdout, { end: false });
    });

  withCommonOptions(files.command('get'))
    .description('Download a file')
    .argument('<id>', ID)
    .argument('<path>', PATH)
    .option('-o, --output <file>', 'File to create (default: the same name, in this folder)')
    .action(async (id: string, at: string, { output }: { output?: string }, command: Command) => {
      await copyOut(sessionOf(command), filesAddress(id, '/content', { path: at }), output ?? path.posix.basename(at));
    });
}

function addChanging(files: Command): void {
  withCommonOptions(files.command('put'))
    .description('Upload a file')
    .argument('<id>', ID)
    .argument('<path>', PATH)
    .argument('<file>', 'File on this computer; "-" reads stdin')
    .option('--new', 'Only if nothing is there yet')
    .action(async (id: string, at: string, file: string, options: { new?: true }, command: Command) => {
      const session = sessionOf(command);
      if (file !== '-')
        await access(file, constants.R_OK).catch((cause: unknown) => {
          throw new Failure(`${file} cannot be read. Check the name.`, { cause });
        });
      const { body } = await session.api.request<WrittenFile>('PUT', filesAddress(id, '/content', { path: at }), {
        upload: file === '-' ? process.stdin : createReadStream(file),
        ...(options.new && { headers: { 'if-none-match': '*' } }),
      });
      session.answer(body, ({ path: name, sizeBytes }) => `Uploaded ${formatBytes(sizeBytes)} to ${name}.`);
    });

  withCommonOptions(files.command('edit'))
    .description('Open a file in your editor ($VISUAL or $EDITOR), and upload it when you have saved it')
    .argument('<id>', ID)
    .argument('<path>', PATH)
    .action(async (id: string, at: string, _options, command: Command) => {
      await editFile(sessionOf(command), { id, path: at });
    });

  withCommonOptions(files.command('rm'))
    .description('Delete a file or folder; it stays in the trash for 7 days')
    .argument('<id>', ID)
    .argument('<path>', PATH)
    .option('--permanently', 'Delete it for good')
    .action(async (id: string, at: string, options: { permanently?: true }, command: Command) => {
      const session = sessionOf(command);
      const query = { path: at, ...(options.permanently && { permanently: 'true' }) };
      const { body } = await session.api.request<DeletedFile>('DELETE', filesAddress(id, '', query));
      session.answer(body, ({ trashId }) =>
        trashId === undefined
          ? `Deleted ${at} for good.`
          : `Moved ${at} to the trash. To get it back: npx gamekeeper files restore ${id} ${trashId}`,
      );
    });

  withCommonOptions(files.command('restore'))
    .description('Put something back from the trash')
    .argument('<id>', ID)
    .argument('<trashId>', 'Id in the trash, as "gamekeeper files rm" prints it')
    .action(async (id: string, trashId: string, _options, command: Command) => {
      const session = sessionOf(command);
      const route = `/trash/${encodeURIComponent(trashId)}/restore`;
      const { body } = await session.api.request<{ path: string }>('POST', filesAddress(id, route, {}), { body: {} });
      session.answer(body, ({ path: name }) => `${name} is back.`);
    });
}
