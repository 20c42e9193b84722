/** Everything through the relay of a hosted proxy, with real processes; then each of them is killed in the middle of a transfer. */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { WebSocket } from 'ws';
import { SCOPES } from '../../shared/domain/access/scope.ts';
import type { BackupResponse } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { type LinkedGamekeeper, linkedGamekeeper } from '../support/link/linked-gamekeeper.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const MIB = 1024 * 1024;
/** Several times what a process may hold of it. */
const SIZE_MIB = 512;

// Half a gigabyte is written, archived and read, and a daemon waits up to half a minute before it connects again.

async function waitFor({ api }: LinkedGamekeeper, status: Instance['status']): Promise<void> {
  await until(`demo is ${status}`, async () => (await api<Instance>('GET', '/instances/demo')).body.status === status);
}

async function download({ base, headers }: LinkedGamekeeper, backupId: string): Promise<Response> {
  const response = await fetch(`${base}/instances/demo/backups/${backupId}/archive`, { headers });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

async function hashOf(response: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of response.body!) hash.update(chunk);
  return hash.digest('hex');
}

t.test('list, start, console, logs, backup, download and stop', async (t) => {
  const linked = await linkedGamekeeper(t, SCOPES);
  const { api, base, headers } = linked;
  const made = await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  t.equal(made.status, 201);
  t.match((await api('GET', '/api/v1/instances')).body, [{ id: 'demo', status: 'stopped' }]);
  t.match(await api('POST', '/instances/demo/start'), { status: 200, body: { success: true } });
  await waitFor(linked, 'running');

  const cookie = await linked.gamekeeper.login();
  const link = await linked.gamekeeper.api('GET', '/api/link', undefined, { cookie });
  t.match(link.body, { status: { state: 'connected', since: String, latencyMs: Number } });
  t.match((await linked.gamekeeper.cli('link', '--status')).stdout, /connected/i);

  const console = new WebSocket(`${base.replace('http', 'ws')}/ws/instances/demo/console`, { headers });
  t.teardown(() => console.terminate());
  let text = '';
  console.on('message', (data) => {
    text += String(data);
  });
  await once(console, 'open');
  console.send('say hello through the proxy');
  await until('the console shows it', () => text.includes('hello through the proxy'), { describe: () => text });
  const logs = await api<{ lines: string[] }>('GET', '/instances/demo/logs?lines=1000');
  t.ok(logs.body.lines.some((line) => line.includes('hello through the proxy')));

  const backup = await api<BackupResponse>('POST', '/instances/demo/backup', { cloudReplicate: false });
  t.equal(backup.status, 200);
  t.equal(await hashOf(await download(linked, backup.body.backupId)), backup.body.sha256);

  t.match(await api('POST', '/instances/demo/stop'), { status: 200, body: { success: true } });
  await waitFor(linked, 'stopped');
});

t.test(
  'a large upload and a slow reader of a large download cost no memory, and a killed process ends it on the other side',
  async (t) => {
    const linked = await linkedGamekeeper(t, SCOPES);
    const { api, base, headers, gamekeeper, relay, connected } = linked;
    const made = await api<Instance>('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
    t.equal(made.status, 201);
    const gatewayPid = () =>
      processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command))?.pid ?? 0;
    const memory = async () => ({ relay: (await relay.report()).memory.rss, gateway: residentBytes(gatewayPid()) });

    const start = await memory();
    const sent = createHash('sha256');
    const upload = await fetch(`${base}/instances/demo/files/content?path=world.bin`, {
      method: 'PUT',
      headers,
      body: ReadableStream.from(randomBlocks(SIZE_MIB, sent)),
      duplex: 'half',
    });
    t.equal(upload.status, 201, await upload.text());
    const stored = createHash('sha256');
    for await (const chunk of createReadStream(path.join(gamekeeper.home, 'instances/demo/world.bin')))
      stored.update(chunk);
    t.equal(stored.digest('hex'), sent.digest('hex'), 'what arrived is what was sent');
    const held = await memory();
    t.comment(
      `upload: relay ${mib(start.relay)} to ${mib(held.relay)} MiB, gateway ${mib(start.gateway)} to ${mib(held.gateway)} MiB`,
    );
    t.ok(held.relay - start.relay < 192 * MIB && held.gateway - start.gateway < 192 * MIB, 'and nobody holds it');

    const { body: backup } = await api<BackupResponse>('POST', '/instances/demo/backup', { cloudReplicate: false });
    t.ok(backup.sizeBytes > SIZE_MIB * MIB);
    const before = await memory();
    const slow = await download(linked, backup.backupId);
    const hash = createHash('sha256');
    let bytes = 0;
    let most = { relay: 0, gateway: 0 };
    for await (const chunk of slow.body!) {
      hash.update(chunk);
      const step = 64 * MIB;
      if (Math.floor((bytes + chunk.length) / step) > Math.floor(bytes / step)) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        const now = await memory();
        most = { relay: Math.max(most.relay, now.relay), gateway: Math.max(most.gateway, now.gateway) };
      }
      bytes += chunk.length;
    }
    t.equal(hash.digest('hex'), backup.sha256);
    t.comment(
      `relay ${mib(before.relay)} to ${mib(most.relay)} MiB, gateway ${mib(before.gateway)} to ${mib(most.gateway)} MiB`,
    );
    t.ok(most.relay - before.relay < 192 * MIB, 'the relay holds little of it');
    t.ok(most.gateway - before.gateway < 192 * MIB, 'the gateway holds little of it');

    for (const victim of ['gateway', 'relay', 'daemon'] as const) {
      const response = await download(linked, backup.backupId);
      const reader = response.body!.getReader();
      await reader.read();
      if (victim === 'gateway') process.kill(gatewayPid(), 'SIGKILL');
      else if (victim === 'relay') await relay.kill();
      else await gamekeeper.endDaemon('SIGKILL');
      await t.rejects(async () => {
        while (!(await reader.read()).done);
      }, `${victim} killed: the client sees that the download is not complete`);
      if (victim === 'relay') await relay.start();
      if (victim === 'daemon') await gamekeeper.startDaemon();
      await connected();
      t.pass(`${victim} killed: requests reach the daemon again`);
    }
  },
);

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

function* randomBlocks(sizeMib: number, hash: Hash): Generator<Buffer> {
  for (let n = 0; n < sizeMib; n++) {
    const block = randomBytes(MIB);
    hash.update(block);
    yield block;
  }
}
