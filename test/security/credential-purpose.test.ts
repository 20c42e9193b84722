/**
 * A credential cannot be used for another purpose: a console ticket as a token, a token as a cookie, stored values as credentials (Wings
 * CVE-2026-54593, GHSA-8r6w-3qq5-4p4r: a console's JWT uploaded files; CVE-2024-34066: one leaked token could do everything).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { WebSocket } from 'ws';
import type { CreatedToken } from '../../shared/schema/credentials.ts';
import { administrator, newUser } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('each credential is accepted for its purpose only', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const admin = await administrator(gamekeeper);
  const { panel, remote } = gamekeeper.addresses();
  for (const name of ['Demo', 'Other']) await admin.ask('POST', '/instances', { name, software: 'demo' });
  const { token } = (await admin.ask<CreatedToken>('POST', '/api/tokens', { name: 'all' })).body;
  const value = admin.cookie.slice('RemoteCookies='.length);
  const ticketFor = async (id: string, user = admin) =>
    (await user.ask<{ ticket: string }>('POST', `/api/instances/${id}/console-ticket`)).body.ticket;
  const statusWith = async (headers: Record<string, string>, url: string | URL = new URL('/instances', panel)) =>
    (await fetch(url, { headers })).status;
  /** Resolves to 101, or to the status of the refusal. */
  const upgrade = (query: string, { id = 'demo', headers = {} }: { id?: string; headers?: object } = {}) =>
    new Promise<number>((resolve, reject) => {
      const url = `${panel.replace(/^http/, 'ws')}/ws/instances/${id}/console${query}`;
      const socket = new WebSocket(url, { headers: { ...headers } });
      socket.once('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('error', reject);
    });
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const cookie = (text: string) => ({ cookie: `RemoteCookies=${text}` });

  t.equal(await statusWith(bearer(token)), 200, 'a token as a token');
  t.equal(await statusWith(cookie(value)), 200, 'a cookie as a cookie');
  t.equal(await upgrade(`?ticket=${await ticketFor('demo')}`), 101, 'a ticket as a ticket');

  const ticket = await ticketFor('demo');
  for (const headers of [bearer(ticket), cookie(ticket), { 'x-ticket': ticket }])
    t.equal(await statusWith(headers), 401, `a ticket as ${Object.keys(headers)}`);
  for (const path of ['/instances', '/instances/demo/logs', '/events', '/api/session'])
    t.equal(await statusWith({}, new URL(`${path}?ticket=${ticket}`, panel)), 401, `a ticket at ${path}`);
  t.equal(await statusWith({}, new URL(`/api/v1/instances?ticket=${ticket}`, remote)), 401);
  t.equal(await upgrade(`?ticket=${ticket}`, { id: 'other' }), 401, "nor at another server's console");
  t.equal(await upgrade(`?ticket=${ticket}`), 401, 'the ticket is used up');

  t.equal(await statusWith(cookie(token)), 401, 'a token as a cookie');
  t.equal(await upgrade(`?ticket=${token}`), 401, 'a token as a ticket');
  t.equal(await statusWith(bearer(value)), 401, 'a cookie as a token');
  t.equal(await upgrade(`?ticket=${value}`), 401, 'a cookie as a ticket');
  t.equal(
    await statusWith({}, new URL(`/instances?access_token=${token}&token=${token}`, panel)),
    401,
    'no credential is accepted in a URL',
  );

  // The content of a stolen database.
  using database = new DatabaseSync(join(gamekeeper.home, 'gamekeeper.db'), { readOnly: true });
  const stored = ['sessions', 'tokens', 'users', 'meta'].flatMap((table) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .flatMap((row) => Object.values(row).map(String)),
  );
  t.ok(stored.length > 20);
  t.notOk(stored.includes(value), 'the cookie itself is not stored');
  for (const text of stored.filter((one) => /^[\x21-\x7e]+$/.test(one))) {
    const used = await Promise.all([statusWith(cookie(encodeURIComponent(text))), statusWith(bearer(text))]);
    if (used.some((status) => status !== 401)) t.fail(`${text} lets in`);
  }
  t.notOk(readFileSync(join(gamekeeper.home, 'run/daemon.json'), 'utf8').includes(token));

  // A ticket has the rights that its user has when it is used.
  const viewer = await newUser(gamekeeper, admin, { username: 'eyes', role: 'viewer', instances: ['demo'] });
  const early = await ticketFor('demo', viewer);
  t.equal((await admin.ask('PATCH', '/api/users/eyes', { instances: ['other'] })).status, 200);
  t.equal(await upgrade(`?ticket=${early}`), 404, 'rights at the time of its creation do not count');
});
