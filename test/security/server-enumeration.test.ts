/**
 * A user with access to one server cannot find out that there are others: requests to hidden servers get the same response as requests to
 * missing ones, and lists, jobs, events and consoles show only the user's own.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import WebSocket from 'ws';
import { signedInUser } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
for (const id of ['mine', 'theirs'])
  await gamekeeper.api('POST', '/instances', { name: id, id, software: 'demo', port: await freePort() });
const backupOf = async (id: string) =>
  (await gamekeeper.api<{ backupId: string }>('POST', `/instances/${id}/backup`)).body.backupId;
const backups = { mine: await backupOf('mine'), theirs: await backupOf('theirs') };
const user = await signedInUser(gamekeeper, { username: 'ann', role: 'operator', instances: ['mine'] });

t.test('a hidden server has the same response as a missing one', async (t) => {
  const operations: [method: string, path: (id: string) => string, body?: object][] = [
    ['GET', (id) => `/instances/${id}`],
    ['GET', (id) => `/instances/${id}/logs`],
    ['GET', (id) => `/instances/${id}/players`],
    ['GET', (id) => `/instances/${id}/properties`],
    ['GET', (id) => `/instances/${id}/backups`],
    ['GET', (id) => `/instances/${id}/history?range=1h`],
    ['POST', (id) => `/instances/${id}/start`],
    ['POST', (id) => `/instances/${id}/stop`],
    ['POST', (id) => `/instances/${id}/kill`],
    ['POST', (id) => `/instances/${id}/backup`],
    ['POST', (id) => `/instances/${id}/commands`, { command: 'list' }],
    ['POST', (id) => `/instances/${id}/players/Steve/kick`],
    ['POST', (id) => `/api/instances/${id}/console-ticket`],
    ['POST', (id) => `/api/instances/${id}/start`],
    ['GET', (id) => `/instances/${id}/backups/${backups.theirs}`],
    ['POST', (id) => `/instances/${id}/backups/${backups.theirs}/restore`],
    ['DELETE', (id) => `/instances/${id}/backups/${backups.theirs}`],
  ];
  for (const [method, place, body] of operations) {
    const [there, not] = [
      await user.api(method, place('theirs'), body),
      await user.api(method, place('nowhere'), body),
    ];
    t.equal(there.status, 404, `${method} ${place('theirs')}`);
    t.equal(JSON.stringify(there.body).replaceAll('theirs', 'nowhere'), JSON.stringify(not.body));
  }
  t.match((await gamekeeper.api('GET', '/instances/theirs')).body, { status: 'stopped' });
});

t.test('lists, jobs and events show only own servers', async (t) => {
  t.match((await user.api('GET', '/instances')).body, [{ id: 'mine' }]);
  const job = await gamekeeper.api<{ jobId?: string }>('POST', '/instances/theirs/backup', undefined, {
    ...(await bearer()),
    prefer: 'respond-async',
  });
  const location = job.headers.get('location') ?? '';
  t.match(location, /\/jobs\//);
  t.equal((await user.api('GET', location)).status, 404);
  t.equal((await user.api('DELETE', location)).status, 404);
  t.notMatch(JSON.stringify((await user.api('GET', '/jobs')).body), 'theirs');

  await until(
    'the backup is done',
    async () => (await gamekeeper.api<object[]>('GET', '/instances/theirs/backups')).body.length === 2,
  );
  const ending = new AbortController();
  const url = new URL('/events', gamekeeper.addresses().panel);
  const response = await fetch(url, { headers: user.headers, signal: ending.signal });
  let seen = '';
  const reading = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(
      new WritableStream({
        write: (text) => {
          seen += text;
        },
      }),
    )
    .catch(() => undefined);
  for (const id of ['theirs', 'mine']) {
    await gamekeeper.api('POST', `/instances/${id}/start`);
    await gamekeeper.waitForStatus(id, 'running');
  }
  await until('an event is received', () => seen.includes('running'));
  ending.abort();
  await reading;
  t.match(seen, /"mine"/);
  t.notMatch(seen, 'theirs');
});

t.test('clones of an own server and other users of a runtime are hidden', async (t) => {
  const watched = new AbortController();
  const events = await fetch(new URL('/events', gamekeeper.addresses().panel), {
    headers: user.headers,
    signal: watched.signal,
  });
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  const headers = { ...(await bearer()), prefer: 'respond-async' };
  const started = await gamekeeper.api('POST', '/instances/mine/clone', { name: 'Hidden', id: 'hidden' }, headers);
  const location = started.headers.get('location') ?? '';
  let seen = '';
  while (!/"kind":"clone"[^}]*"state":"done"/.test(seen)) seen += (await reader.read()).value ?? t.fail(seen);
  watched.abort();
  t.notMatch(seen, 'hidden');
  t.match((await gamekeeper.api('GET', location)).body, { state: 'done', newInstanceId: 'hidden' });
  const answer = await user.api('GET', location);
  t.match(answer.body, { kind: 'clone', state: 'done' });
  t.notMatch(JSON.stringify([answer.body, (await user.api('GET', '/jobs')).body]), 'hidden');

  mkdirSync(path.join(gamekeeper.home, 'runtimes/java-17'), { recursive: true });
  for (const id of ['mine', 'theirs']) {
    await gamekeeper.api('POST', `/instances/${id}/stop`);
    await gamekeeper.waitForStatus(id, 'stopped');
    t.equal((await gamekeeper.api('PATCH', `/instances/${id}`, { javaVersion: '17' })).status, 200);
  }
  t.match((await gamekeeper.api<object[]>('GET', '/runtimes')).body, [{ usedBy: ['mine', 'theirs'] }]);
  t.same((await user.api<{ usedBy: string[] }[]>('GET', '/runtimes')).body[0]?.usedBy, ['mine']);
  const refused = await gamekeeper.api('DELETE', '/runtimes/17');
  t.match(refused.body, { code: 'runtime_in_use' });
  t.notMatch(JSON.stringify(refused.body), /mine|theirs/);
});

t.test('a ticket or session for one console cannot open another one', async (t) => {
  const host = gamekeeper.addresses().panel.replace(/^http/, 'ws');
  const refusal = (where: string) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(host + where, { headers: user.headers });
      t.teardown(() => socket.terminate());
      socket.on('error', () => resolve(0));
      socket.once('open', () => resolve(101));
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
    });
  t.equal(await refusal('/ws/instances/theirs/console'), 404);
  t.equal(await refusal('/ws/instances/mine/console'), 101);
  t.equal(await refusal('/ws/instances/mine%2f..%2ftheirs/console'), 404);
  const ticket = await user.api<{ ticket: string }>('POST', '/api/instances/mine/console-ticket');
  t.equal(await refusal(`/ws/instances/theirs/console?ticket=${ticket.body.ticket}`), 401);
});

async function bearer() {
  return { authorization: `Bearer ${await gamekeeper.token()}` };
}
