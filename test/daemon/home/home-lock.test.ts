import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { lockHome } from '../../../daemon/home/home-lock.ts';
import { identifyProcess } from '../../../shared/node/processes/process-identity.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

t.test('a home has one daemon, until it gives the lock back', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'daemon.lock');
  const release = await lockHome(file);
  t.match(JSON.parse(await readFile(file, 'utf8')), { pid: process.pid });
  await t.rejects(lockHome(file), { message: new RegExp(`already running \\(pid ${process.pid}\\)`), exitCode: 1 });
  await release();
  t.same(await readdir(folder), ['daemon.lock.guard'], 'the record is removed');
  await (await lockHome(file))();
});

t.test('other users cannot read its files, even those of an earlier version', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'daemon.lock');
  await writeFile(`${file}.guard`, '', { mode: 0o644 });
  const release = await lockHome(file);
  for (const name of await readdir(folder)) t.equal((await stat(path.join(folder, name))).mode & 0o077, 0, name);
  await release();
});

t.test('the lock of a dead owner is free', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  const identity = await identifyProcess(child.pid!);
  const file = path.join(temporaryFolder(t), 'daemon.lock');
  await writeFile(file, JSON.stringify(identity));
  await t.rejects(lockHome(file), { message: /already running/ });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await lockHome(file))();
});

t.test('a reused pid does not count as the owner', async (t) => {
  const file = path.join(temporaryFolder(t), 'daemon.lock');
  await writeFile(file, JSON.stringify({ pid: process.pid, startTime: '1' }));
  await (await lockHome(file))();
});

t.test('an invalid record does not count as the owner', async (t) => {
  const file = path.join(temporaryFolder(t), 'daemon.lock');
  for (const content of ['', 'garbage', '{"pid":"1"}', 'null']) {
    await writeFile(file, content);
    await (await lockHome(file))();
  }
});

t.test('of many processes that start over a dead lock at once, exactly one gets it', async (t) => {
  const file = path.join(temporaryFolder(t), 'daemon.lock');
  for (let round = 0; round < 2; round++) {
    await writeFile(file, JSON.stringify({ pid: process.pid, startTime: '1' }));
    const children = Array.from({ length: 10 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', CONTENDER, file], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await Promise.all(children.map((child) => once(child.stdout, 'data'))); // loaded, and waiting for the message
    for (const child of children) child.stdin.write('go');
    const answers = await Promise.all(children.map(async (child) => String((await once(child.stdout, 'data'))[0])));
    const winners = children.filter((_, index) => answers[index] === 'mine');
    t.equal(winners.length, 1);
    t.match(
      answers.filter((answer) => answer !== 'mine'),
      Array.from({ length: 9 }, () => new RegExp(`already running \\(pid ${winners[0]?.pid}\\)`)),
    );
    // Like a crash: nothing is released explicitly.
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.signalCode ?? child.exitCode ?? once(child, 'exit')));
  }
  await (await lockHome(file))();
});

/** Reports that it is loaded, waits for a message, and reports the result. */
const CONTENDER = `
  import { lockHome } from '${import.meta.resolve('../../../daemon/home/home-lock.ts')}';
  process.stdin.once('data', () =>
    lockHome(process.argv[1]).then(() => process.stdout.write('mine'), (error) => process.stdout.write(error.message)));
  process.stdout.write('loaded');
`;

t.test('a lock that another process took meanwhile is not released', async (t) => {
  const file = path.join(temporaryFolder(t), 'daemon.lock');
  const release = await lockHome(file);
  const parent = await identifyProcess(process.ppid);
  await writeFile(file, JSON.stringify(parent));
  await release();
  t.match(JSON.parse(await readFile(file, 'utf8')), { pid: process.ppid });
});
