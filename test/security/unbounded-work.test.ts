/**
 * A credential with few rights cannot keep others from their work by asking for much: jobs that queue up (every backup waited an hour behind
 * 1,934 tests of restores), and downloads that are read slowly (16 of them took every thread of the jobs process).
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { BackupResponse } from '../../shared/schema/answers.ts';
import type { Job } from '../../shared/schema/job.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** More than fits into the buffers between the archive and a reader who takes nothing. */
const WORLD_BYTES = 24 * 1024 * 1024;
const SERVERS = 17;
const ATTEMPTS = 300;

async function startWithServers(t: Test, count: number): Promise<Gamekeeper> {
  const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: 1e6, burst: 1e6 } } });
  for (let n = 0; n < count; n++) {
    const made = await gamekeeper.api('POST', '/instances', { name: `s${n}`, software: 'demo' });
    if (made.status !== 201) throw new Error(`No server: ${made.status}`);
  }
  return gamekeeper;
}

t.test('a thousand tests of backups do not delay the backups of others', async (t) => {
  const gamekeeper = await startWithServers(t, 2);
  const { body: backup } = await gamekeeper.api<BackupResponse>('POST', '/instances/s0/backup');
  const token = await gamekeeper.token({ scopes: ['servers:read', 'backups:create'] });
  const headers = { authorization: `Bearer ${token}`, prefer: 'respond-async' };
  const attempts = Array.from({ length: ATTEMPTS }, (_, n) => (n % 2 === 0 ? 'drill' : 'verify'));
  const answers = await Promise.all(
    attempts.map((work) =>
      gamekeeper.api<Job & { code: string }>(
        'POST',
        `/instances/s0/backups/${backup.backupId}/${work}`,
        undefined,
        headers,
      ),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  const accepted = answers.filter(({ status }) => status === 202);
  t.equal(refused.length + accepted.length, ATTEMPTS);
  t.ok(accepted.length < 60, `${accepted.length} jobs were accepted`);
  t.equal(refused[0]?.body.code, 'rate_limited');
  t.ok(Number(refused[0]?.headers.get('retry-after')) > 0);
  t.equal((await gamekeeper.api('POST', '/instances/s1/backup')).status, 200, 'another server is backed up');
  t.equal((await gamekeeper.api('POST', '/instances/s0/backup')).status, 200, 'and the same one');
  const verified = await gamekeeper.api('POST', `/instances/s0/backups/${backup.backupId}/verify`);
  t.equal(verified.status, 200, 'an administrator has places of their own');
  await until('the places are free again', async () => {
    const again = await gamekeeper.api('POST', `/instances/s0/backups/${backup.backupId}/drill`, undefined, headers);
    return again.status === 202;
  });
});

t.test('exports that nobody reads do not take the threads of backups', async (t) => {
  const gamekeeper = await startWithServers(t, SERVERS);
  const world = path.join(gamekeeper.home, 'world.bin');
  writeFileSync(world, randomBytes(WORLD_BYTES));
  for (let n = 0; n < SERVERS; n++) copyFileSync(world, path.join(gamekeeper.home, `instances/s${n}/world.bin`));
  const token = await gamekeeper.token({ scopes: ['servers:read', 'servers:write'] });
  const readers = await Promise.all(
    Array.from({ length: SERVERS - 1 }, (_, n) => startReading(t, gamekeeper, { id: `s${n}`, token })),
  );
  const open = readers.filter(({ statusCode }) => statusCode === 200).length;
  t.ok(open >= 1 && open <= 4, `${open} exports were begun`);
  t.equal(readers.filter(({ statusCode }) => statusCode === 429).length, SERVERS - 1 - open);
  const last = `s${SERVERS - 1}`;
  t.equal((await gamekeeper.api('POST', `/instances/${last}/backup`)).status, 200, 'a backup finds a thread');
  const export_ = await startReading(t, gamekeeper, { id: last, token: await gamekeeper.token() });
  t.equal(export_.statusCode, 200, 'an administrator has places of their own');
  let bytes = 0;
  for await (const chunk of export_) bytes += (chunk as Buffer).length;
  t.ok(bytes > WORLD_BYTES);
  for (const reader of readers) reader.destroy();
  await until('the places are free again', async () => {
    const again = await startReading(t, gamekeeper, { id: 's0', token });
    again.destroy();
    return again.statusCode === 200;
  });
});

/** Asks for an export, and reads only its headers. */
async function startReading(
  t: Test,
  { addresses }: Gamekeeper,
  { id, token }: { id: string; token: string },
): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(new URL(`/instances/${id}/export`, addresses().panel), { headers, agent: false });
  request.on('error', () => undefined);
  t.teardown(() => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}
