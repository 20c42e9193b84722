import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { forgetOriginal } from '../../../daemon/home/copied-home.ts';
import { prepareHome } from '../../../daemon/home/home-directories.ts';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

const OF_PROCESSES = ['demo.json', 'demo.game', 'demo.intent', 'demo.starting', 'demo.installer', 'demo.sock'];
const MARKS = ['demo.restore.json', 'demo.world-lock'];

async function usedHome(root: string): Promise<Home> {
  const home = homeAt(root);
  await prepareHome(home);
  await forgetOriginal(home);
  for (const name of ['daemon.json', 'daemon.lock', 'daemon.lock.guard', 'jobs.process', 'jobs.wanted'])
    writeFileSync(path.join(home.run, name), '{}');
  for (const name of [...OF_PROCESSES, ...MARKS]) writeFileSync(path.join(home.run, 'instances', name), '{}');
  return home;
}

const filesIn = ({ run }: Home) => ({
  run: readdirSync(run).sort(),
  instances: readdirSync(path.join(run, 'instances')).sort(),
});

t.test('the records of processes are removed from a copy, and stay in a directory that was moved', async (t) => {
  const parent = temporaryFolder(t);
  const home = await usedHome(path.join(parent, 'original'));
  const copy = homeAt(path.join(parent, 'copy'));
  execFileSync('cp', ['-a', home.root, copy.root]);
  await forgetOriginal(copy);
  t.same(filesIn(copy), { run: ['daemon.lock.guard', 'folder', 'instances', 'jobs.wanted'], instances: MARKS });

  const moved = homeAt(path.join(parent, 'moved'));
  const before = filesIn(home);
  renameSync(home.root, moved.root);
  await forgetOriginal(moved);
  t.same(filesIn(moved), before);

  writeFileSync(path.join(copy.run, 'instances', 'demo.game'), '{}');
  await forgetOriginal(copy);
  t.same(filesIn(copy).instances, ['demo.game', ...MARKS], 'the copy has its own records from then on');
});

t.test('a directory of an earlier version keeps its records', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  writeFileSync(path.join(home.run, 'instances', 'demo.game'), '{}');
  await forgetOriginal(home);
  t.same(filesIn(home), { run: ['folder', 'instances'], instances: ['demo.game'] });
});
