import { spawn } from 'node:child_process';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { cleanRunFolder } from '../../../daemon/home/clean-run-folder.ts';
import { prepareHome } from '../../../daemon/home/home-directories.ts';
import { endFormerChildren, recordChild } from '../../../daemon/processes/former-children.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { writeIntent } from '../../../shared/node/processes/intent-record.ts';
import { identifyProcess } from '../../../shared/node/processes/process-identity.ts';
import { writeSupervisorRecord } from '../../../shared/node/processes/process-record.ts';
import { recordProcess } from '../../../shared/node/processes/recorded-process.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

t.test(
  'leftovers of killed processes are removed, and games that lost their supervisor are returned, running or not',
  async (t) => {
    const home = homeAt(temporaryFolder(t));
    await prepareHome(home);
    const folder = path.dirname(home.supervisorRecord('any'));
    const self = { ...(await identifyProcess(process.pid)), protocol: 1 };
    const dead = { pid: process.pid, startTime: '1', protocol: 1 };
    const put = (name: string, content: object | string) => writeFile(path.join(folder, name), JSON.stringify(content));
    for (const [id, supervisor, game] of [
      ['lives', self, self],
      ['dead', dead, dead],
      ['old', dead, dead],
      ['before', dead, { ...self, boot: 'another start of the machine' }],
      ['left', dead, self],
      ['deleted', dead, self],
      ['asleep', dead, undefined],
      ['stopping', dead, dead],
      ['idle', undefined, undefined],
    ] as const) {
      if (supervisor) await put(`${id}.json`, { ...supervisor, socket: home.supervisorSocket(id) });
      if (game) await put(`${id}.game`, game);
      await put(`${id}.sock`, 'a socket');
      await put(`${id}.json.0a1b2c.tmp`, 'half');
      await put(`${id}.world-lock`, '');
    }
    await utimes(path.join(folder, 'old.game'), 1, 1); // from before the last boot
    for (const [id, intent] of [
      ['lives', 'running'],
      ['deleted', 'running'],
      ['asleep', 'asleep'],
      ['stopping', 'stopped'],
      ['idle', 'stopped'],
    ] as const)
      writeIntent(home.intentRecord(id), intent);
    await put('before.intent', { intent: 'running', boot: 'another start of the machine' });
    const warnings: unknown[] = [];
    const log = createLogger({ name: 'test', level: 'silent' });
    log.warn = (details: unknown) => void warnings.push(details);
    const ended = await cleanRunFolder({ home, isKnown: (id) => id !== 'deleted', log });
    t.same(
      ended.sort((one, other) => one.id.localeCompare(other.id)),
      [
        { id: 'asleep', intent: 'asleep', isLost: true },
        { id: 'dead', intent: 'running', isLost: true },
        { id: 'idle', intent: 'stopped', isLost: false },
        { id: 'left', intent: 'running', isLost: true },
        { id: 'stopping', intent: 'stopped', isLost: true },
      ],
    );
    t.same((await readdir(folder)).sort(), [
      'asleep.intent',
      'asleep.world-lock',
      'before.game',
      'before.world-lock',
      'dead.game', // the next supervisor inspects it
      'dead.world-lock',
      'deleted.game',
      'deleted.world-lock',
      'idle.world-lock',
      'left.game',
      'left.world-lock',
      'lives.game',
      'lives.intent',
      'lives.json',
      'lives.json.0a1b2c.tmp',
      'lives.sock',
      'lives.world-lock',
      'old.game',
      'old.world-lock',
      'stopping.game',
      'stopping.intent',
      'stopping.world-lock',
    ]);
    t.match(warnings, [{ instance: 'deleted', pid: process.pid }]);
  },
);

t.test('a gateway that hangs when its daemon is killed is ended by the next one', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  t.teardown(() => child.kill('SIGKILL'));
  await recordChild(home, 'gateway', child.pid);
  await writeFile(path.join(home.run, 'jobs.process'), JSON.stringify({ pid: process.pid, startTime: '1' }));
  child.kill('SIGSTOP');
  await endFormerChildren(home);
  t.equal(await identifyProcess(child.pid!), undefined);
  t.same((await readdir(home.run)).sort(), ['instances']);
});

t.test('a supervisor that was being started when its daemon was killed is ended, a ready one stays', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  const [unready, ready] = [spawn('sleep', ['60']), spawn('sleep', ['60'])];
  t.teardown(() => [unready, ready].map((child) => child.kill('SIGKILL')));
  await recordProcess(home.supervisorStart('unready'), unready.pid);
  await recordProcess(home.supervisorStart('ready'), ready.pid);
  const record = { ...(await identifyProcess(ready.pid!))!, socket: home.supervisorSocket('ready'), protocol: 2 };
  await writeSupervisorRecord(home.supervisorRecord('ready'), record);
  const log = createLogger({ name: 'test', level: 'silent' });
  await cleanRunFolder({ home, isKnown: () => true, log });
  t.equal(await identifyProcess(unready.pid!), undefined);
  t.ok(await identifyProcess(ready.pid!));
  t.same(await readdir(path.dirname(home.supervisorRecord('any'))), ['ready.json']);
});

t.test('folders with the names of records and sockets are removed', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  const files = [home.supervisorRecord('demo'), home.gameRecord('demo'), home.supervisorSocket('demo')];
  for (const file of [...files, home.daemonLock, home.daemonSocket])
    await mkdir(path.join(file, 'full'), { recursive: true });
  await prepareHome(home); // like every start
  t.same(await readdir(home.run), ['instances']);
  await symlink(home.root, home.supervisorRecord('demo'));
  const log = createLogger({ name: 'test', level: 'silent' });
  t.same(await cleanRunFolder({ home, isKnown: () => true, log }), []);
  t.same(await readdir(path.dirname(home.supervisorRecord('any'))), []);
});
