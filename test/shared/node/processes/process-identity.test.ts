import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { identifyProcess, isAlive } from '../../../../shared/node/processes/process-identity.ts';
import { readLivingRecord, writeSupervisorRecord } from '../../../../shared/node/processes/process-record.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('a process is identified by pid and start time', async (t) => {
  const child = spawn('sleep', ['60']);
  const identity = await identifyProcess(child.pid!);
  t.ok(identity);
  t.ok(await isAlive(identity!));
  t.notOk(await isAlive({ ...identity!, startTime: '1' }), 'a reused pid is another process');
  const { pid, startTime } = identity!;
  t.notOk(await isAlive({ pid, startTime, boot: 'another' }), 'another boot is another process, even with equal ticks');
  t.ok(await isAlive({ pid, startTime }), 'records of earlier versions have no boot id');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.notOk(await isAlive(identity!));
});

t.test('the start time from ps is the same in every time zone', { skip: process.platform === 'win32' }, async (t) => {
  const { TZ } = process.env;
  t.teardown(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const told = [];
  for (const zone of ['UTC', 'Asia/Tokyo']) {
    process.env.TZ = zone;
    told.push(await identifyProcess(process.pid, 'darwin'));
  }
  const [before, after] = told.map((identity) => Date.parse(identity?.startTime ?? ''));
  // ps computes the date from the boot time, which it only knows approximately.
  t.ok(Math.abs(before! - after!) < 5_000, JSON.stringify(told));
});

t.test('only the answer of ps means that a process is gone', { skip: process.platform === 'win32' }, async (t) => {
  const { PATH } = process.env;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  const folder = temporaryFolder(t);
  process.env.PATH = folder;
  const look = () => identifyProcess(process.pid, 'darwin');
  await t.rejects(look(), { code: 'ENOENT' }, 'ps could not be started');
  const ps = async (script: string) => {
    await writeFile(path.join(folder, 'ps'), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(folder, 'ps'), 0o700);
  };
  await ps('kill -9 $$');
  await t.rejects(look(), /Command failed/, 'ps was killed before it answered');
  await ps('exit 1');
  t.equal(await look(), undefined);
});

t.test('a record is valid while its process lives, and stays afterwards', async (t) => {
  const file = path.join(temporaryFolder(t), 'demo.json');
  t.equal(await readLivingRecord(file), undefined, 'no record');

  const me = (await identifyProcess(process.pid))!;
  const record = { ...me, socket: '/run/demo.sock', protocol: 1 };
  await writeSupervisorRecord(file, record);
  t.same(await readLivingRecord(file), record);

  await writeSupervisorRecord(file, { ...record, startTime: '1' });
  t.equal(await readLivingRecord(file), undefined);
  t.ok(existsSync(file), 'the next process may be writing its own');

  await writeFile(file, '{"pid":');
  t.equal(await readLivingRecord(file), undefined, 'a torn record counts as missing');
});
