/** A running server is cloned, and both run at the same time. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const gamekeeper = await startGamekeeper(t);
const propertiesOf = (id: string) =>
  readFileSync(path.join(gamekeeper.home, 'instances', id, 'server.properties'), 'utf8');
const propertyOf = (id: string, key: string) => new RegExp(`^${key}=(.+)$`, 'm').exec(propertiesOf(id))?.[1];

await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', autoStart: true, memoryMb: 512 });
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.waitForStatus('demo', 'running');

t.test('clones a running server', async (t) => {
  const made = await gamekeeper.api<Instance>('POST', '/instances/demo/clone', { name: 'Copy' });
  t.equal(made.status, 201, JSON.stringify(made.body));
  t.equal(made.headers.get('location'), '/instances/copy');
  t.match(made.body, { id: 'copy', name: 'Copy', software: 'demo', status: 'stopped', memoryMb: 512 });
  t.match((await gamekeeper.api('GET', '/instances/copy/configuration')).body, { autoStart: false });
  t.equal((await gamekeeper.api<Instance>('GET', '/instances/demo')).body.status, 'running');
  t.notOk(existsSync(path.join(gamekeeper.home, 'instances/copy/world/session.lock')));

  await gamekeeper.api('POST', '/instances/copy/start');
  await gamekeeper.waitForStatus('copy', 'running');
  t.match((await gamekeeper.api('POST', '/instances/copy/commands', { command: 'list' })).body, {
    output: /0 of a max/,
  });
  for (const key of ['server-port', 'rcon.port', 'rcon.password']) {
    t.ok(propertyOf('copy', key), key);
    t.not(propertyOf('copy', key), propertyOf('demo', key), key);
  }
});

t.test('clones as a job, with a chosen id and port', async (t) => {
  const body = { name: 'Another', id: 'other', port: 25_990 };
  const accepted = await gamekeeper.api<Job>('POST', '/instances/demo/clone', body, {
    authorization: `Bearer ${await gamekeeper.token()}`,
    prefer: 'respond-async',
  });
  t.match(accepted, { status: 202, body: { kind: 'clone', instanceId: 'demo' } });
  const job = await until('the clone job has ended', async () => {
    const { body: now } = await gamekeeper.api<Job>('GET', accepted.headers.get('location')!);
    return now.endedAt !== undefined && now;
  });
  t.match(job, { state: 'done', newInstanceId: 'other' });
  t.match((await gamekeeper.api('GET', '/instances/other')).body, { port: 25_990 });
  t.match(await gamekeeper.api('POST', '/instances/demo/clone', body), {
    status: 409,
    body: { code: 'instance_exists' },
  });
  t.match(await gamekeeper.api('POST', '/instances/none/clone', { name: 'x' }), { status: 404 });
  t.match(await gamekeeper.api('POST', '/instances/demo/clone', { name: 'x', directory: '/srv' }), { status: 400 });
});

t.test('a clone that is cut off by kill -9 leaves nothing and does not change the original', async (t) => {
  const instances = path.join(gamekeeper.home, 'instances');
  const copies = () => readdirSync(instances).filter((name) => name.startsWith('.gamekeeper-copy-'));
  const jobsProcess = () => processesOf(gamekeeper.home).find(({ command }) => command.includes('workers/jobs'));
  mkdirSync(path.join(instances, 'demo/many'));
  for (let n = 0; n < 3_000; n++) writeFileSync(path.join(instances, `demo/many/${n}`), 'x');
  const cloning = gamekeeper.api('POST', '/instances/demo/clone', { name: 'Cut off' });
  while (copies().length === 0) await new Promise(setImmediate);
  const { pid } = jobsProcess()!;
  process.kill(pid, 'SIGKILL');
  t.equal((await cloning).status, 503);
  await until('the partial copy is gone', () => copies().length === 0 && jobsProcess()?.pid !== pid);
  t.notOk(existsSync(path.join(instances, 'cut-off')));
  t.equal((await gamekeeper.api('GET', '/instances/cut-off')).status, 404);
  t.equal(readdirSync(path.join(instances, 'demo/many')).length, 3_000);
  const again = await until('the server can be cloned again', async () => {
    const { status } = await gamekeeper.api('POST', '/instances/demo/clone', { name: 'Cut off' });
    return status !== 409 && status !== 503 && status;
  });
  t.equal(again, 201);
});

t.test('the clone of a program over UDP gets a port that no other program has', async (t) => {
  const launch = { command: ['sleep', '600'] };
  await gamekeeper.api('POST', '/instances', { name: 'Game', software: 'custom', transport: 'udp', launch });
  const clonedPort = async () =>
    (await gamekeeper.api<Instance>('POST', '/instances/game/clone', { name: 'x' })).body.port;
  const before = await clonedPort();
  const next = [1, 2, 3].map((offset) => before + offset);
  for (const port of next) {
    const other = createSocket('udp6').bind(port);
    t.teardown(() => other.close());
    // If a test beside this one has it already, that is as good.
    await once(other, 'listening').catch((error: NodeJS.ErrnoException) => t.equal(error.code, 'EADDRINUSE'));
  }
  t.ok((await clonedPort()) > Math.max(...next));
});
