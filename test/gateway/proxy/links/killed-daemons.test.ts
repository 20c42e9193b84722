/**
 * 1,200 daemons that are killed in the middle of a download end those downloads, and not the proxy: with the streams of `ws`, Node itself aborted
 * (nodejs/node#35384).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { startRealProxy } from '../../../bench/proxy/real-proxy.ts';
import { createDaemonKey } from '../../../support/link/daemon-key.ts';
import { until } from '../../../support/machine/until.ts';

const DAEMONS = 1_200;
const PROCESSES = 2;
const FIXTURE = path.join(import.meta.dirname, '../../../fixtures/linked-daemons.ts');
/** Below what the proxy takes from one account in a second. */
const ASK_EVERY_MS = 5;
const SOON = { deadlineMs: 180_000 };

t.test('the proxy outlives 1,200 daemons that are killed in mid-transfer', async (t) => {
  const cleanup = new AsyncDisposableStack();
  t.teardown(() => cleanup.disposeAsync());
  const proxy = await startRealProxy(cleanup);
  const pid = proxy.pid();
  const keys = await Promise.all(Array.from({ length: DAEMONS }, () => createDaemonKey()));
  await proxy.register(keys);
  const share = DAEMONS / PROCESSES;
  const processes = Array.from({ length: PROCESSES }, (_, index) => {
    const child = fork(FIXTURE, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    cleanup.defer(() => void child.kill('SIGKILL'));
    child.send({ issuer: proxy.issuer, keys: keys.slice(index * share, (index + 1) * share) });
    return child;
  });
  await until('all are linked', async () => (await linksOf(processes)) === DAEMONS, SOON);

  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  cleanup.defer(() => agent.destroy());
  const downloads: IncomingMessage[] = [];
  let refused = 0;
  let ended = 0;
  for (const { daemonId } of keys) {
    const headers = await proxy.bearer(daemonId);
    const request = get(`${proxy.issuer}/d/${daemonId}/endless`, { headers, agent }, (response) => {
      if (response.statusCode !== 200) refused += 1;
      // It is under way, and waits for its reader.
      response.once('readable', () => downloads.push(response));
      response.on('error', () => undefined);
      response.once('close', () => {
        ended += 1;
        if (response.complete) t.fail('a download that was cut off looks complete');
      });
    });
    request.on('error', () => {
      refused += 1;
    });
    await delay(ASK_EVERY_MS);
  }
  await until('all transfer', () => downloads.length === DAEMONS, SOON);
  t.equal(refused, 0);

  for (const child of processes) child.kill('SIGKILL');
  for (const download of downloads) download.resume();
  await until('all have ended', () => ended === DAEMONS, SOON);
  t.equal((await fetch(`${proxy.issuer}/readyz`)).status, 200);
  t.equal(proxy.pid(), pid, 'the same process');
  t.doesNotThrow(() => process.kill(pid, 0));
});

async function linksOf(processes: readonly ChildProcess[]): Promise<number> {
  const counts = processes.map(async (child) => {
    child.send('count');
    const [count] = await once(child, 'message');
    return count as number;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
