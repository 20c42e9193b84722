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

t.test('custom software can be added as a file, used, changed for the next start, and removed', async (t) => {
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

  // The supervisor is still running and gets the change.
  writeFileSync(file, JSON.stringify({ ...MINE, stopCommand: 'demo crash' }));
  await offered();
  await api('POST', '/instances/mine/start');
  await waitForStatus('mine', 'running');
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  await api('POST', '/instances/mine/stop');
  await waitForStatus('mine', 'stopped');
  const { body } = await api<{ lines: string[] }>('GET', '/instances/mine/logs?lines=100');
  t.match(JSON.stringify(body), /The demo server was asked to crash/, 'the stop used the new command');

  rmSync(file);
  await until('the software is no longer offered', async () => (await offered()).length === 0);
  const refused = await api<{ detail: string }>('POST', '/instances/mine/start');
  t.equal(refused.status, 400);
  t.match(refused.body.detail, 'There is no software "mine".');
});

t.test(
  'a backup of a running program that cannot be held still says so in answer, command line and console',
  async (t) => {
    const gamekeeper = await startGamekeeper(t);
    const { api, cli, waitForStatus } = gamekeeper;
    const launch = { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] };
    t.match(await api('POST', '/instances', { name: 'Mine', software: 'custom', launch, readyAfterSeconds: 1 }), {
      status: 201,
    });
    t.notHas((await api<object>('POST', '/instances/mine/backup')).body, { quiesced: false }, 'a stopped one is still');
    t.notMatch((await cli('backup', 'mine')).stdout, /WARNING/);
    await api('POST', '/instances/mine/start');
    await waitForStatus('mine', 'running');
    t.match(await api('POST', '/instances/mine/backup'), { status: 200, body: { quiesced: false } });
    const made = await cli('backup', 'mine');
    t.match(made, { code: 0, stdout: /^WARNING: the server was running and could not be held still/m });
    const backupId = /Created backup (\S+)/.exec(made.stdout)?.[1] ?? '';
    const { body } = await api<{ lines: string[] }>('GET', '/instances/mine/logs?lines=50');
    const said = body.lines.filter((line) => line.includes(backupId));
    t.equal(said.length, 1);
    t.match(said[0], /^\[gamekeeper\].* was made while the server was running/);
  },
);
