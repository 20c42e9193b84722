import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Job } from '../../../shared/schema/job.ts';
import { isNewer } from '../../store/schema.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { Failure } from '../api/failure.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { type Candidate, candidateIn, type DaemonProgram } from '../upgrade/candidate.ts';
import { schemaOf } from '../upgrade/database-copy.ts';
import { runnerOf } from '../upgrade/find-runner.ts';
import { handOver } from '../upgrade/hand-over.ts';
import { lookAround, obstaclesTo } from '../upgrade/obstacles.ts';

/** The checkout that contains this command (`dist/daemon/cli/main.js`). */
const OWN_FOLDER = path.resolve(import.meta.dirname, '..', '..', '..');
const OWN_PROGRAM = path.join(OWN_FOLDER, 'dist', 'daemon', 'cli', 'main.js');

export function addUpgrade(program: Command): void {
  withCommonOptions(program.command('upgrade'))
    .description('Replace the running Gamekeeper by another version; the servers keep running')
    .argument('[folder]', 'Folder of the other version, built (default: the version of this command)')
    .option('--dry-run', 'Only show what would be done')
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
  const { plan, names, obstacles, runner, former } = await planUpgrade(session, nextFolder, next);
  note(`From ${plan.from.version} (pid ${plan.from.pid}) to ${next.version} (${next.entry}).`);
  note(names.length === 0 ? 'No servers are running.' : `These servers keep running: ${names.join(', ')}.`);
  note(
    `The database is copied first${plan.migratesDatabase ? ' and then migrated' : ''}. The panel and the API are unavailable for some seconds.`,
  );
  if (obstacles.length > 0) throw new Failure(obstacles.join('\n'));
  if (dryRun) {
    session.answer(plan, () => 'The upgrade is possible. Nothing has changed.');
    return;
  }

  const { pid, copy } = await handOver({ home, runner, next, former, running: plan.servers, note });
  session.answer({ ...plan, pid, databaseCopy: copy }, () =>
    [
      `${next.version} is running (pid ${pid})${names.length === 0 ? '' : ` and has reattached to ${names.join(', ')}`}. The former database is ${copy}.`,
      ...(runner.kind === 'background' ? ['It runs in the background. Stop it with: npx gamekeeper down'] : []),
    ].join('\n'),
  );
}

/** Collects what an upgrade would do. Changes nothing. */
async function planUpgrade({ home, api }: Session, nextFolder: string, next: Candidate) {
  const [info, instances] = await withDaemon(home, (daemon) =>
    Promise.all([daemon.call.info(), daemon.call.instances()]),
  );
  const jobs = (await api.request<Job[]>('GET', '/jobs')).body;
  const situation = { ...(await lookAround(home, instances)), jobs, ...schemaOf(home.database) };
  const words = [process.execPath, OWN_PROGRAM, 'upgrade', nextFolder, '--home', home.root];
  const runner = await runnerOf({ home, pid: info.pid, commandLine: words.map(shellWord).join(' ') });
  const former = programOf(info.program);
  const plan = {
    from: { version: info.version, pid: info.pid },
    to: { version: next.version, entry: next.entry },
    servers: situation.running.map(({ id }) => id),
    migratesDatabase: isNewer(next, situation),
    runsAs: runner.kind,
  };
  return {
    plan,
    names: situation.running.map(({ name }) => name),
    obstacles: [...obstaclesTo(next, situation), ...(runner.obstacle === undefined ? [] : [runner.obstacle])],
    runner,
    // A version built in the same folder has replaced the running one, which can then not be started again.
    former: former?.entry === next.entry ? undefined : former,
  };
}

function programOf(program: readonly [node: string, entry: string] | undefined): DaemonProgram | undefined {
  if (!program) return undefined; // earlier versions do not report it
  const [node, entry] = program;
  return existsSync(node) && existsSync(entry) ? { node, entry } : undefined;
}

/** Quotes a word for a POSIX shell. */
function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
