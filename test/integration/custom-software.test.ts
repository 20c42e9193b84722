import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const MINE = { kind: 'mine', extends: 'demo', title: 'Mine', readyPattern: '^Preparing spawn area' };

interface Offered {
  kind: string;
  title: string;
  own: boolean;
}

t.test('a kind of the owner is a file: it is offered, runs, changes for the next start, and goes', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api, home, waitForStatus } = gamekeeper;
  const file = join(home, 'software', 'mine.json');
  const offered = async () => (await api<Offered[]>('GET', '/software')).body.filter(({ own }) => own);
  t.same(await offered(), []);
  t.equal((await api('POST', '/instances', { name: 'Mine', software: 'mine' })).status, 400);

  writeFileSync(file, JSON.stringify(MINE));
  writeFileSync(join(home, 'software', 'paper.json'), JSON.stringify({ ...MINE, kind: 'paper' }));
  t.match(await offered(), [{ kind: 'mine', title: 'Mine' }]);
  t.match((await api('GET', '/software/problems')).body, [{ file: 'paper.json', problem: /^kind: "paper" ships/ }]);
  t.equal((await api('POST', '/instances', { name: 'Mine', software: 'mine' })).status, 201);
  await api('POST', '/instances/mine/start');
  await waitForStatus('mine', 'running');
  await api('POST', '/instances/mine/stop');
  await waitForStatus('mine', 'stopped');

  // Its supervisor, which lives on for a while, is told.
  writeFileSync(file, JSON.stringify({ ...MINE, stopCommand: 'demo crash' }));
  await offered();
  await api('POST', '/instances/mine/start');
  await waitForStatus('mine', 'running');
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  await api('POST', '/instances/mine/stop');
  await waitForStatus('mine', 'stopped');
  const { body } = await api<{ lines: string[] }>('GET', '/instances/mine/logs?lines=100');
  t.match(JSON.stringify(body), /The demo server was asked to crash/, 'which nobody but the stop has asked for');

  rmSync(file);
  await until('it is not offered any more', async () => (await offered()).length === 0);
  const refused = await api<{ detail: string }>('POST', '/instances/mine/start');
  t.equal(refused.status, 400);
  t.match(refused.body.detail, 'There is no software "mine".');
});
