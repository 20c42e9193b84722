import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Job } from '../../../shared/schema/job.ts';
import { isNewer } from '../../store/schema.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { Failure } from '../api/failure.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { candidateIn, type DaemonProgram } from '../upgrade/candidate.ts';
import { schemaOf } from '../upgrade/database-copy.ts';
import { runnerOf } from '../upgrade/find-runner.ts';
import { handOver } from '../upgrade/hand-over.ts';
import { lookAround, obstaclesTo } from '../upgrade/obstacles.ts';

/** The version that this command belongs to: it is `dist/daemon/cli/main.js` of that folder. */
const OWN_FOLDER = path.resolve(import.meta.dirname, '..', '..', '..');
const OWN_PROGRAM = path.join(OWN_FOLDER, 'dist', 'daemon', 'cli', 'main.js');

export function addUpgrade(program: Command): void {
  withCommonOptions(program.command('upgrade'))
    .description('have another version take over from the one that runs; the servers go on')
    .argument('[folder]', 'of the other version, built (default: the one that this command belongs to)')
    .option('--dry-run', 'only say what would be done')
    .action(upgrade);
}

async function upgrade(
  folder: string | undefined,
  { dryRun = false }: { dryRun?: boolean },
  command: Command,
): Promise<void> {
  const session = sessionOf(command);
  const { home, note } = session;
  const nextFolder = path.resolve(folder ?? OWN_FOLDER);
  const next = await candidateIn(nextFolder);
  const [info, instances] = await withDaemon(home, (daemon) =>
    Promise.all([daemon.call.info(), daemon.call.instances()]),
  );
  const jobs = (await session.api.request<Job[]>('GET', '/jobs')).body;
  const situation = { ...(await lookAround(home, instances)), jobs, ...schemaOf(home.database) };
  const words = [process.execPath, OWN_PROGRAM, 'upgrade', nextFolder, '--home', home.root];
  const runner = await runnerOf({ home, pid: info.pid, commandLine: words.map(shellWord).join(' ') });
  const obstacles = [...obstaclesTo(next, situation), ...(runner.obstacle === undefined ? [] : [runner.obstacle])];

  const from = { version: info.version, pid: info.pid };
  const plan = {
    from,
    to: { version: next.version, entry: next.entry },
    servers: situation.running.map(({ id }) => id),
    migratesDatabase: isNewer(next, situation),
    runsAs: runner.kind,
  };
  note(`From ${info.version} (pid ${info.pid}) to ${next.version} (${next.entry}).`);
  const names = situation.running.map(({ name }) => name);
  note(names.length === 0 ? 'No server runs.' : `These servers go on: ${names.join(', ')}.`);
  note(
    `The database is copied first${plan.migratesDatabase ? ', and then brought up to date' : ''}. Panel and API are away for some seconds.`,
  );
  if (obstacles.length > 0) throw new Failure(obstacles.join('\n'));
  if (dryRun) {
    session.answer(plan, () => 'Nothing stands in the way; nothing was done.');
    return;
  }

  const former = programOf(info.program);
  const isInPlace = former?.entry === next.entry;
  const { pid, copy } = await handOver({
    home,
    runner,
    next,
    former: isInPlace ? undefined : former,
    running: plan.servers,
    note,
  });
  session.answer({ ...plan, pid, databaseCopy: copy }, () =>
    [
      `${next.version} runs (pid ${pid}) and looks after ${names.length === 0 ? 'everything' : names.join(', ')}. The database of before is ${copy}.`,
      ...(runner.kind === 'background' ? ['It runs in the background; end it with: npx gamekeeper down'] : []),
    ].join('\n'),
  );
}

function programOf(program: readonly [node: string, entry: string] | undefined): DaemonProgram | undefined {
  if (!program) return undefined; // a version that did not say
  const [node, entry] = program;
  return existsSync(node) && existsSync(entry) ? { node, entry } : undefined;
}
