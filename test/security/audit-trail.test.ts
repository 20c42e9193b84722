/**
 * A user cannot flood the audit trail so that it fails, resends forever or loses entries (Wings CVE-2026-21696: a batch of more than 32,766
 * parameters was sent again and again), and cannot put text into it that runs in a browser (Crafty CVE-2026-18516: script in a header,
 * shown in the audit log).
 */
import t from 'tap';
import type { AuditPage } from '../../shared/schema/audit.ts';
import { administrator, newUser, type PanelUser, tryToSignIn } from '../support/browser/panel-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const COMMANDS = 2_000;
const AT_A_TIME = 25;
const EVIL = '<script>alert(1)</script>';

async function trail(admin: PanelUser, query: string): Promise<AuditPage['entries']> {
  const all: AuditPage['entries'] = [];
  for (let before = ''; ; ) {
    const { entries, next } = (await admin.ask<AuditPage>('GET', `/api/audit?limit=1000${query}${before}`)).body;
    all.push(...entries);
    if (next === null) return all;
    before = `&before=${next}`;
  }
}

t.test('every entry of a flood is kept once, even while the daemon does not answer', async (t) => {
  const many = 1_000_000;
  const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: many, burst: many } } });
  const admin = await administrator(gamekeeper);
  await admin.ask('POST', '/instances', { name: 'Demo', software: 'demo' });
  await admin.ask('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const user = await newUser(gamekeeper, admin, { username: 'flooder', role: 'operator' });
  const console = await user.console('demo');

  process.kill(gamekeeper.pid(), 'SIGSTOP');
  t.teardown(() => gamekeeper.pid() && process.kill(gamekeeper.pid(), 'SIGCONT'));
  for (let n = 1; n <= COMMANDS; n++) {
    console.send(`say number ${n}`);
    // The gateway closes sockets that send more at a time.
    if (n % AT_A_TIME === 0) await console.waitFor(new RegExp(`number ${n}\\b`));
  }
  process.kill(gamekeeper.pid(), 'SIGCONT');
  const kept = await until('all entries are kept', async () => {
    const entries = await trail(admin, '&who=flooder&instance=demo');
    return entries.length >= COMMANDS && entries;
  });
  t.equal(kept.length, COMMANDS, 'each entry once');
  t.ok(kept.every(({ method, command, who }) => method === 'WS' && command === 'say' && who === 'flooder'));
  t.equal((await trail(admin, '&who=admin')).filter(({ path }) => path === '/instances/demo/start').length, 1);
});

t.test('text from requests is stored and returned as data', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const admin = await administrator(gamekeeper);
  const { panel } = gamekeeper.addresses();
  const headers = { 'user-agent': EVIL, referer: EVIL, 'x-forwarded-for': EVIL, 'x-request-id': EVIL, forwarded: EVIL };
  await tryToSignIn(gamekeeper, { username: EVIL, password: EVIL }, headers);
  await fetch(new URL(`/instances/${encodeURIComponent(EVIL)}/start`, panel), {
    method: 'POST',
    headers: { ...headers, cookie: admin.cookie, origin: panel },
  });
  await admin.ask('DELETE', `/api/users/${encodeURIComponent(`x'; DROP TABLE audit; -- ${EVIL}`)}`);
  const answer = await admin.ask<AuditPage>('GET', '/api/audit');
  t.match(answer.headers.get('content-type'), /^application\/json/);
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  t.match(answer.body.entries, [
    { who: 'admin', method: 'DELETE', status: 404 },
    { who: 'admin', method: 'POST', instance: EVIL, status: 404 },
    { who: 'unknown user', path: '/api/login', status: 401 },
  ]);
  const shown = answer.body.entries.map(({ instance, ...entry }) => entry);
  t.notMatch(JSON.stringify(shown), EVIL, 'unknown user names and headers are not stored');
});
