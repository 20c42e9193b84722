import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { findWorld } from '../../../../workers/jobs/worlds/find-world.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const SIGNAL = new AbortController().signal;

/** Returns what is found in an archive with these worlds. */
async function foundIn(t: Test, ...worlds: string[]): Promise<Record<string, string>> {
  const unpacked = temporaryFolder(t);
  for (const world of worlds) {
    mkdirSync(path.join(unpacked, world), { recursive: true });
    writeFileSync(path.join(unpacked, world, 'level.dat'), '');
  }
  mkdirSync(path.join(unpacked, 'logs'));
  return Object.fromEntries(
    [...(await findWorld(unpacked, SIGNAL))].map(([suffix, at]) => [suffix, path.relative(unpacked, at)]),
  );
}

t.test('a world is found wherever it lies, with the Nether and the End beside it', async (t) => {
  t.same(await foundIn(t, ''), { '': '' });
  t.same(await foundIn(t, 'Castle'), { '': 'Castle' });
  t.same(await foundIn(t, 'backup/server/Castle'), { '': 'backup/server/Castle' });
  t.same(await foundIn(t, 's/w', 's/w_nether', 's/w_the_end'), {
    '': 's/w',
    _nether: 's/w_nether',
    _the_end: 's/w_the_end',
  });
  t.same(await foundIn(t, '', 'backups/old'), { '': '' }, 'the one nearest to the top');
});

t.test('no world, or several, are refused', async (t) => {
  await t.rejects(foundIn(t), { code: 'invalid_request', message: /no world/ });
  await t.rejects(foundIn(t, '1/2/3/4/5/6'), { message: /no world/ }, 'too far down');
  await t.rejects(foundIn(t, 'a', 'b'), { code: 'invalid_request', message: /several worlds: "a", "b"/ });
});

t.test('a search among many folders lets others work meanwhile, can be cancelled, and has an end', async (t) => {
  const unpacked = temporaryFolder(t);
  for (let number = 0; number < 2_000; number++)
    mkdirSync(path.join(unpacked, `${number % 20}/${number}`), { recursive: true });
  let isOver = false;
  let turns = 0;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await t.rejects(findWorld(unpacked, SIGNAL), { message: /no world/ });
  isOver = true;
  t.ok(turns > 100, `${turns} turns of the event loop`);
  await t.rejects(findWorld(unpacked, SIGNAL, 1_000), { code: 'invalid_request', message: /too many folders/ });
  await t.rejects(findWorld(unpacked, AbortSignal.abort()), { name: 'AbortError' });
});
