import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import type { World, WorldList } from '../../../shared/schema/worlds.ts';
import { copyOut } from '../api/copy-out.ts';
import { Failure } from '../api/failure.ts';
import { filesAddress } from '../api/files-address.ts';
import { runJob } from '../api/follow-job.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { printable } from '../terminal/printable.ts';
import { formatBytes, formatTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const ID = 'Id of the server';
const FOLDER = "The world's folder, as `worlds list` prints it";

const COLUMNS: readonly Column<World>[] = [
  { title: 'FOLDER', cell: ({ folder, isCurrent }) => `${printable(folder)}${isCurrent ? ' *' : ''}` },
  { title: 'NAME', cell: ({ name, problem }) => printable(name ?? problem ?? '') },
  { title: 'VERSION', cell: ({ version = '' }) => printable(version) },
  { title: 'SEED', cell: ({ seed = '' }) => seed },
  { title: 'LAST PLAYED', cell: ({ lastPlayedAt }) => (lastPlayedAt === undefined ? '' : formatTime(lastPlayedAt)) },
  { title: 'SIZE', cell: ({ sizeBytes }) => (sizeBytes === undefined ? '' : formatBytes(sizeBytes)), align: 'right' },
];

/** Adds `worlds` with its commands. */
export function addWorlds(program: Command): void {
  const worlds = program.command('worlds').description("List, download, replace and reset a server's worlds");

  withCommonOptions(worlds.command('list'))
    .description('List the worlds; the server loads the one with a star')
    .argument('<id>', ID)
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<WorldList>('GET', addressOf(id));
      session.answer(body, (list) =>
        list.worlds.length === 0 ? 'No worlds yet. The first start creates one.' : table(COLUMNS, list.worlds),
      );
    });

  withCommonOptions(worlds.command('get'))
    .description('Download a world as a ZIP')
    .argument('<id>', ID)
    .argument('<folder>', FOLDER)
    .option('-o, --output <file>', 'File to create (default: <folder>.zip in this folder)')
    .action(async (id: string, folder: string, { output }: { output?: string }, command: Command) => {
      await copyOut(sessionOf(command), filesAddress(id, '/archive', { path: folder }), output ?? `${folder}.zip`);
    });

  withCommonOptions(worlds.command('replace'))
    .description('Replace a world of a stopped server by a ZIP; the former one is backed up first')
    .argument('<id>', ID)
    .argument('<folder>', FOLDER)
    .argument('<zip>', 'ZIP on this computer that contains the world, wherever it lies inside')
    .action(async (id: string, folder: string, zip: string, _options, command: Command) => {
      await replaceWorld(sessionOf(command), { id, folder, zip });
    });

  withCommonOptions(worlds.command('reset'))
    .description('Have the next start of a stopped server create a new world; the former one is backed up first')
    .argument('<id>', ID)
    .argument('<folder>', FOLDER)
    .option('--seed <seed>', 'Seed of the new world; "" for a random one (default: as in the properties)')
    .action(async (id: string, folder: string, { seed }: { seed?: string }, command: Command) => {
      const body = { folder, ...(seed !== undefined && { seed }) };
      await act(sessionOf(command), { path: `${addressOf(id)}/reset`, body, title: 'Reset' });
    });
}

/** The ZIP is uploaded into the server's folder first, and removed from it at the end. */
async function replaceWorld(
  session: Session,
  { id, folder, zip }: { id: string; folder: string; zip: string },
): Promise<void> {
  await access(zip, constants.R_OK).catch((cause: unknown) => {
    throw new Failure(`${zip} cannot be read. Check the name.`, { cause });
  });
  const archive = `uploaded-world-${randomUUID()}.zip`;
  await session.api.request('PUT', filesAddress(id, '/content', { path: archive }), { upload: createReadStream(zip) });
  try {
    await act(session, { path: `${addressOf(id)}/replace`, body: { folder, archive }, title: 'Replacement' });
  } finally {
    await session.api.request('DELETE', filesAddress(id, '', { path: archive, permanently: 'true' }));
  }
}

async function act(session: Session, request: { path: string; body: object; title: string }): Promise<void> {
  if (session.interactive) {
    await runJob(session, request);
    session.answer(undefined, () => 'Done. The former world is in the newest backup.');
  } else {
    const { body } = await session.api.request<ActionResponse>('POST', request.path, { body: request.body });
    session.answer(body, ({ message }) => message);
  }
}

function addressOf(id: string): string {
  return `/instances/${encodeURIComponent(id)}/worlds`;
}
