/**
 * Limits hold for simultaneous requests (CVE-2025-69198 of the Panel: limits on backups and databases were checked first and counted later):
 * ids, ports, backups, starts, sign-ins.
 */
import t from 'tap';
import { requestJson } from '../support/http/request-json.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const AT_ONCE = 12;

const gamekeeper = await startGamekeeper(t);
// Creates the token now: simultaneous sign-ins would be taken for guesses.
await gamekeeper.api('GET', '/instances');

function together(request: (n: number) => Promise<{ status: number; body: unknown }>) {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, n) => request(n)));
}

const countOf = (answers: { status: number }[], status: number) =>
  answers.filter((one) => one.status === status).length;

t.test('an id is assigned once', async (t) => {
  const body = { name: 'Demo', id: 'demo', software: 'demo', port: await freePort() };
  const answers = await together(() => gamekeeper.api('POST', '/instances', body));
  t.equal(countOf(answers, 201), 1);
  t.equal(countOf(answers, 409), AT_ONCE - 1);
});

t.test('ports and folders are assigned once', async (t) => {
  const port = await freePort();
  const same = await together((n) => gamekeeper.api('POST', '/instances', { name: `p${n}`, software: 'demo', port }));
  t.equal(
    countOf(same, 201),
    AT_ONCE,
    'several servers may have the same chosen port if they do not run at the same time',
  );
  const ids = ['p0', 'p1', 'p2'];
  await Promise.all(ids.map((id) => gamekeeper.api('POST', `/instances/${id}/start`)));
  const states = () => Promise.all(ids.map((id) => gamekeeper.api<{ status: string }>('GET', `/instances/${id}`)));
  await until('one server runs and the others have failed', async () => {
    const found = (await states()).map(({ body }) => body.status).sort();
    return found.join() === 'running,stopped,stopped';
  });
  const any = await together((n) => gamekeeper.api('POST', '/instances', { name: `q${n}`, software: 'demo' }));
  const ports = any.map(({ body }) => (body as { port: number }).port);
  t.equal(new Set(ports).size, AT_ONCE, 'automatic ports differ');
  const names = await together(() => gamekeeper.api('POST', '/instances', { name: 'same', software: 'demo' }));
  t.equal(new Set(names.map(({ body }) => (body as { id: string }).id)).size, AT_ONCE, 'automatic ids differ');
});

t.test('one start, one backup and one restore win', async (t) => {
  const backups = await together(() => gamekeeper.api('POST', '/instances/demo/backup'));
  const made = countOf(backups, 200);
  t.equal(made + countOf(backups, 409), AT_ONCE);
  const listed = await gamekeeper.api<{ backupId: string }[]>('GET', '/instances/demo/backups');
  t.equal(listed.body.length, made, 'every successful response has its backup');
  t.equal(new Set(listed.body.map(({ backupId }) => backupId)).size, made);
  const { backupId } = listed.body[0]!;
  const restores = await together(() => gamekeeper.api('POST', `/instances/demo/backups/${backupId}/restore`));
  t.ok(countOf(restores, 200) >= 1);
  t.equal(countOf(restores, 200) + countOf(restores, 409), AT_ONCE);
  const starts = await together(() => gamekeeper.api('POST', '/instances/demo/start'));
  t.equal(countOf(starts, 200), 1);
  await gamekeeper.waitForStatus('demo', 'running');
});

t.test('a user is created once, and the last administrator stays', async (t) => {
  const admin = await signedInAdmin(gamekeeper);
  const body = { username: 'ann', role: 'admin', password: 'a password of her own' };
  const made = await together((n) => admin.api('POST', '/api/users', { ...body, username: n % 2 ? 'ann' : 'ANN' }));
  t.equal(countOf(made, 201), 1);
  // Both administrators demote each other at the same moment.
  const gone = await Promise.all(
    ['ann', 'admin'].map((name) => admin.api('PATCH', `/api/users/${name}`, { role: 'viewer' })),
  );
  const left = await gamekeeper.cli('user', 'list', '--json');
  if (left.code === 0) t.match(left.stdout, '"admin"', `an administrator is left: ${gone.map(({ status }) => status)}`);
});

t.test('rate limits hold per credential and per address', async (t) => {
  const url = new URL('/api/login', gamekeeper.addresses().panel);
  const guess = { username: 'ann', password: 'wrong, of course' };
  const guesses = await together(() => requestJson('POST', url, { body: guess }));
  t.ok(countOf(guesses, 401) <= 5, `${countOf(guesses, 401)} of at most 5 guesses were checked`);
  t.equal(countOf(guesses, 401) + countOf(guesses, 429), AT_ONCE);
});
