import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../../../../shared/node/files/home.ts';
import { type Move, planMoves } from '../../../../../workers/jobs/backups/restore/moves.ts';
import { planPathMoves } from '../../../../../workers/jobs/backups/restore/path-moves.ts';
import { createSwapJournals } from '../../../../../workers/jobs/backups/restore/swap-journal.ts';
import type { SwapPlace } from '../../../../../workers/jobs/backups/restore/swap-place.ts';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';

const KEY = '.gamekeeper-restore-0123456789ab';
const OLD = { 'level.dat': 'old', 'both/x': 'old', 'only-old': 'x', 'maps/a.tile': 'left out' };
const NEW = { 'level.dat': 'new', 'both/x': 'new', 'only-new': 'x', 'maps/b.txt': 'new', 'missing/x': 'new' };

/** A home after a crash in the middle of a restore, with the first `done` renames done. Returns undefined beyond the last rename. */
async function interrupted(t: Test, { whole, done, paths }: { whole: boolean; done: number; paths?: string[] }) {
  const home = homeAt(temporaryFolder(t));
  const folder = home.instanceDirectory('survival');
  const scratch = whole ? path.join(home.instances, `${KEY}.new`) : path.join(folder, KEY);
  const place: SwapPlace = {
    folder,
    whole,
    scratch,
    staging: whole ? scratch : path.join(scratch, 'new'),
    previous: whole ? path.join(home.instances, `${KEY}.previous`) : path.join(scratch, 'previous'),
  };
  fill(folder, OLD);
  fill(place.staging, NEW);
  mkdirSync(path.dirname(home.restoreMark('survival')), { recursive: true });
  const leftOut = ['maps/a.tile'];
  const moves = paths ? await planPathMoves(place, paths, leftOut) : await planMoves(place, leftOut);
  if (done > moves.length) return undefined;
  await createSwapJournals(home).write({
    instanceId: 'survival',
    moves,
    scratch,
    previous: whole ? place.previous : scratch,
    startedAt: Date.now(),
  });
  for (const move of moves.slice(0, done)) rename(move);
  return { home, folder, place, moves };
}

function rename({ from, to }: Move): void {
  mkdirSync(path.dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Returns the hashes of the files by name, without folders and Gamekeeper's own files. */
function files(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inventory(folder)).filter(
      ([name, what]) => what.startsWith('file') && !name.startsWith('.gamekeeper'),
    ),
  );
}

for (const whole of [true, false])
  t.test(`a restore of some files is finished, ${whole ? 'beside the folder' : 'inside it'}`, async (t) => {
    const paths = ['level.dat', 'both/x', 'maps', 'missing/x'];
    const changed = { 'level.dat': 'new', 'both/x': 'new', 'maps/b.txt': 'new', 'missing/x': 'new' };
    const expected = files(fill(path.join(temporaryFolder(t), 'expected'), { ...OLD, ...changed }));
    for (let done = 0; ; done++) {
      const state = await interrupted(t, { whole, done, paths });
      if (!state) {
        t.equal(done - 1, 8, 'every rename was tried');
        break;
      }
      const { home, folder, place } = state;
      const jobs = await startTestJobs(t, { home });
      t.same(files(folder), expected, `interrupted after ${done} renames`);
      t.notOk(existsSync(home.restoreMark('survival')), 'the journal is gone');
      if (whole) t.notOk(existsSync(place.scratch), 'what was unpacked is gone');
      await jobs.stop();
    }
  });

for (const whole of [true, false]) {
  const how = whole ? 'as a whole' : 'entry by entry';
  t.test(`the next start finishes a restore ${how} that was interrupted anywhere`, async (t) => {
    const expected = files(fill(path.join(temporaryFolder(t), 'expected'), { ...NEW, 'maps/a.tile': 'left out' }));
    for (let done = 0; ; done++) {
      const state = await interrupted(t, { whole, done });
      if (!state) {
        t.ok(done > 2, `${done - 1} renames were tried`);
        break;
      }
      const { home, folder } = state;
      const jobs = await startTestJobs(t, { home });
      t.same(files(folder), expected, `interrupted after ${done} renames`);
      t.notOk(existsSync(home.restoreMark('survival')), 'the journal is gone');
      t.same(
        (await jobs.daemon.supervisor('survival')).heard,
        ['hold restoring', 'release'],
        'the folder was locked meanwhile',
      );

      jobs.daemon.change('survival', { phase: 'running', startedAt: Date.now() + 1000 });
      const ours = () =>
        [...readdirSync(home.instances), ...readdirSync(folder)].filter((name) => name.startsWith('.gamekeeper'));
      await until('the previous content is removed after a good start', () => ours().length === 0);
    }
  });

  t.test(`a restore ${how} that cannot be finished is undone`, async (t) => {
    for (let done = 0; done < 3; done++) {
      const state = await interrupted(t, { whole, done });
      if (!state) break;
      const { home, folder, place, moves } = state;
      // The folder to be moved in was removed.
      const lost = moves.findLast(({ kind, from }) => kind === 'in' && existsSync(from));
      if (!lost) continue;
      rmSync(lost.from, { recursive: true });
      const jobs = await startTestJobs(t, { home });
      t.same(
        files(folder),
        files(fill(path.join(temporaryFolder(t), 'expected'), OLD)),
        `interrupted after ${done} renames`,
      );
      t.notOk(existsSync(place.scratch));
      t.notOk(existsSync(home.restoreMark('survival')));
      await jobs.stop();
    }
  });
}

t.test('a restore that was interrupted while unpacking leaves the folder unchanged and no leftovers', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const folder = fill(home.instanceDirectory('survival'), OLD);
  const scratch = path.join(home.instances, `${KEY}.new`);
  fill(scratch, { half: 'x' });
  mkdirSync(path.dirname(home.restoreMark('survival')), { recursive: true });
  await createSwapJournals(home).write({
    instanceId: 'survival',
    moves: [],
    scratch,
    previous: path.join(home.instances, `${KEY}.previous`),
    startedAt: Date.now(),
  });
  await startTestJobs(t, { home });
  t.same(files(folder), files(fill(path.join(temporaryFolder(t), 'expected'), OLD)));
  t.same(readdirSync(home.instances), ['survival']);
  t.notOk(existsSync(home.restoreMark('survival')));
});

t.test('nothing is overwritten or deleted if something new is in the folder’s place', async (t) => {
  const state = await interrupted(t, { whole: true, done: 1 });
  const { home, folder, place } = state!;
  fill(folder, { 'level.dat': 'made by a start in between' });
  const jobs = await startTestJobs(t, { home });
  t.ok(existsSync(home.restoreMark('survival')), 'the journal is kept');
  t.ok(existsSync(place.staging));
  t.ok(existsSync(place.previous));
  await jobs.stop();

  rmSync(folder, { recursive: true });
  await jobs.restart();
  t.notOk(existsSync(home.restoreMark('survival')), 'it is removed when the obstacle is gone');
  t.equal(files(folder)['only-new'], files(fill(path.join(temporaryFolder(t), 'e'), NEW))['only-new']);
});

t.test('an interrupted restore waits while the folder cannot be locked', async (t) => {
  const state = await interrupted(t, { whole: true, done: 0 });
  const { home, folder } = state!;
  const before = files(folder);
  cpSync(folder, path.join(temporaryFolder(t), 'copy'), { recursive: true });
  const jobs = await startTestJobs(t, {
    home,
    settings: (daemon) => {
      void daemon.supervisor('survival').then((supervisor) => {
        supervisor.onHold = () => {
          throw new GamekeeperError('backup_in_progress', 'The instance is being backed up.');
        };
      });
    },
  });
  t.same(files(folder), before);
  t.ok(existsSync(home.restoreMark('survival')));
  (await jobs.daemon.supervisor('survival')).onHold = () => ({ quiesced: true });
  await jobs.restart();
  t.notOk(existsSync(home.restoreMark('survival')));
});
