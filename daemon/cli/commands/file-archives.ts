import type { Command } from 'commander';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import type { CreateArchive, ExtractArchive } from '../../../shared/schema/files.ts';
import { Failure } from '../api/failure.ts';
import { filesAddress } from '../api/files-address.ts';
import { runJob } from '../api/follow-job.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';

/** Adds the commands of `files` for ZIP files. */
export function addArchives(files: Command): void {
  withCommonOptions(files.command('zip'))
    .description('Create a ZIP on the server')
    .argument('<id>', 'Id of the server')
    .argument('<zip>', 'ZIP to create, such as backup.zip')
    .argument('<paths...>', 'Files and folders to put into it, all from one folder')
    .action(async (id: string, to: string, paths: string[], _options, command: Command) => {
      const [{ folder = '' } = {}] = paths.map(splitFilePath);
      if (paths.some((each) => splitFilePath(each).folder !== folder))
        throw new Failure('The files and folders are not all in one folder. Create a ZIP of the folder above them.');
      const body: CreateArchive = { path: folder, names: paths.map((each) => splitFilePath(each).name), to };
      await run(sessionOf(command), { path: filesAddress(id, '/archive', {}), body, title: 'Create a ZIP' });
    });

  withCommonOptions(files.command('unzip'))
    .description('Unpack a ZIP that is on the server')
    .argument('<id>', 'Id of the server')
    .argument('<zip>', 'ZIP to unpack')
    .argument('[folder]', 'Folder to unpack into (default: the one that the ZIP is in)')
    .action(async (id: string, path: string, to: string | undefined, _options, command: Command) => {
      const body: ExtractArchive = { path, ...(to !== undefined && { to }) };
      await run(sessionOf(command), { path: filesAddress(id, '/extract', {}), body, title: 'Unpack' });
    });
}

/** Shows the progress to people. */
async function run(session: Session, request: { path: string; body: object; title: string }): Promise<void> {
  if (session.interactive) {
    const job = await runJob(session, request);
    session.answer(job, () => 'Done.');
    return;
  }
  const { body } = await session.api.request<ActionResponse>('POST', request.path, { body: request.body });
  session.answer(body, ({ message }) => message);
}
