/**
 * Text from others is never HTML, wherever it appears: message of the day (CVE-2025-14701 of Crafty), request headers in the audit
 * (CVE-2026-18516 of Crafty, without signing in), addresses of stores (CVE-2026-90821 of Crafty: of webhooks), names of files, players
 * and instances, log lines, errors (CVE-2024-34067, GHSA-384w-wffr-x63q of the Panel).
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { rawRequest } from '../support/http/raw-request.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const EVIL = '"><img src=x onerror=alert(1)><script>alert(document.domain)</script>';

const gamekeeper = await startGamekeeper(t);
const { panel } = gamekeeper.addresses();
const port = Number(new URL(panel).port);
const admin = await signedInAdmin(gamekeeper);
await gamekeeper.api('POST', '/instances', {
  name: EVIL.slice(0, 64),
  id: 'demo',
  software: 'demo',
  port: await freePort(),
  version: EVIL.slice(0, 64),
});
await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { motd: EVIL } });
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.waitForStatus('demo', 'running');
await gamekeeper.api('POST', '/instances/demo/commands', { command: `say ${EVIL}` });
writeFileSync(path.join(gamekeeper.home, 'instances/demo', EVIL.replaceAll('/', '|')), '');

t.test('headers and paths of unauthenticated requests are not returned as HTML', async (t) => {
  const encoded = encodeURIComponent(EVIL);
  const headers = [
    'User-Agent',
    'Referer',
    'X-Request-Id',
    'X-Forwarded-For',
    'Forwarded',
    'Accept',
    'Origin',
    'Authorization',
  ];
  for (const name of headers)
    await rawRequest(
      t,
      port,
      `POST /instances/${encoded}/start HTTP/1.1\r\nHost: 127.0.0.1\r\n${name}: ${EVIL}\r\nContent-Length: 0\r\n\r\n`,
      { answers: 1 },
    );
  for (const target of [
    `/${EVIL}`,
    `/${encoded}`,
    `/docs/${encoded}`,
    `/ui/${encoded}`,
    `/?${EVIL}`,
    `/docs?${encoded}`,
  ])
    for (const answer of await rawRequest(
      t,
      port,
      `GET ${target.replaceAll(' ', '%20')} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    ))
      isHarmless(t, answer.headers['content-type'] ?? '', answer.body, target);
  const answer = await gamekeeper.api('POST', '/api/login', { username: EVIL, password: EVIL }, {});
  isHarmless(t, answer.headers.get('content-type') ?? '', JSON.stringify(answer.body), 'login');
});

t.test("no page contains others' text", async (t) => {
  const places = [
    '/',
    '/ui/',
    '/docs',
    '/docs/errors',
    '/openapi.json',
    '/metrics',
    '/health',
    '/instances',
    '/instances/demo',
    '/instances/demo/logs',
    '/instances/demo/properties',
    '/instances/demo/players',
    '/instances/demo/backups',
    '/jobs',
    '/api/audit',
    '/api/settings',
    '/api/users',
    '/api/tokens',
    '/api/session',
    '/nowhere',
  ];
  const made = await admin.api('PUT', '/api/settings', {
    backups: { stores: [{ name: 'x', kind: 'webdav', url: `https://127.0.0.1/${encodeURI(EVIL)}` }] },
  });
  t.ok([200, 400].includes(made.status));
  for (const where of places) {
    const response = await fetch(new URL(where, panel), { headers: { cookie: admin.headers.cookie ?? '' } });
    const type = response.headers.get('content-type') ?? '';
    isHarmless(t, type, await response.text(), where);
    t.equal(response.headers.get('x-content-type-options'), 'nosniff', `${where}: the browser does not guess the type`);
    if (!/html/.test(type)) continue;
    const policy = response.headers.get('content-security-policy') ?? '';
    t.match(policy, /default-src 'none'|default-src 'self'/, `${where}: no content from other sites`);
    t.notMatch(policy, /script-src[^;]*'unsafe-(?:inline|eval)'/, `${where}: no inline scripts`);
  }
});

t.test('the address of a store must be http or https', async (t) => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])
    t.equal(
      (await admin.api('PUT', '/api/settings', { backups: { stores: [{ name: 'x', kind: 'webdav', url }] } })).status,
      400,
      url,
    );
});

t.test('audit and log return the text as data', async (t) => {
  const log = await gamekeeper.api<{ lines: string[] }>('GET', '/instances/demo/logs');
  t.ok(log.body.lines.some((line) => line.includes('<script>')));
  t.match((await gamekeeper.api('GET', '/instances/demo/properties')).body, { properties: { motd: EVIL } });
});

/** Checks that the response either is not HTML or does not contain the text. */
function isHarmless(t: Test, type: string, body: string, what: string): void {
  if (/html|svg|xml/.test(type)) t.notMatch(body, /onerror=alert|<script>alert/, what);
  else t.match(type, /^(application|text\/plain|$)/, `${what}: ${type}`);
}
