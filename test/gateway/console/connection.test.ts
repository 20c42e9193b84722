import t from 'tap';
import { openConsole } from '../../support/console/console-client.ts';
import { build } from '../../support/processes/gateway-app.ts';

t.test('a viewer gets the last 200 lines, then live output unchanged', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const lines = Array.from({ length: 250 }, (_, n) => `line ${n + 1}`);
  supervisor.print(...lines);
  const client = await openConsole(t, app, { headers: await bearer(['logs:read']) });
  await client.until(({ text }) => text().includes('line 250\r\n'));
  t.equal(
    client.text(),
    lines
      .slice(50)
      .map((line) => `${line}\r\n`)
      .join(''),
  );
  supervisor.print('\x1b[32mgreen\x1b[0m', 'und ä');
  await client.until(({ text }) => text().endsWith('ä\r\n'));
  t.ok(client.text().endsWith('line 250\r\n\x1b[32mgreen\x1b[0m\r\nund ä\r\n'));
  for (const frame of client.frames) t.ok(frame.endsWith('\r\n'), 'frames contain whole lines');
});

t.test('?after= continues after the given line', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const headers = await bearer();
  supervisor.print(...Array.from({ length: 1_000 }, (_, n) => `line ${n + 1}`));
  const client = await openConsole(t, app, { headers, path: '/ws/instances/demo/console?after=3' });
  await client.until(({ text }) => text().includes('line 1000\r\n'));
  t.ok(client.text().startsWith('line 4\r\nline 5\r\n'));
  const all = await openConsole(t, app, { headers, path: '/ws/instances/demo/console?after=0' });
  await all.until(({ text }) => text().includes('line 1000\r\n'));
  t.equal(all.text().split('\r\n').length - 1, 1_000);
  const none = await openConsole(t, app, { headers, path: '/ws/instances/demo/console?after=1000' });
  supervisor.print('next');
  await none.until(({ text }) => text() !== '');
  t.equal(none.text(), 'next\r\n');
});

t.test('format=json numbers the lines', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  supervisor.print('one', '\x1b[1mtwo');
  const client = await openConsole(t, app, { headers: await bearer(), path: '/ws/instances/demo/console?format=json' });
  await client.until(({ frames }) => frames.length > 0);
  t.same(JSON.parse(client.frames[0] ?? ''), {
    lines: [
      { seq: 1, at: '2026-11-20T00:00:00.000Z', text: 'one' },
      { seq: 2, at: '2026-11-20T00:00:00.000Z', text: '\x1b[1mtwo' },
    ],
  });
  supervisor.print('three');
  await client.until(({ frames }) => frames.length > 1);
  t.match(JSON.parse(client.frames[1] ?? ''), { lines: [{ seq: 3, text: 'three' }] });
});

t.test('an unfinished line is sent only to viewers that ask for it, also later ones', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const headers = await bearer();
  const path = '/ws/instances/demo/console?format=json';
  supervisor.print('one');
  const text = await openConsole(t, app, { headers });
  const json = await openConsole(t, app, { headers, path });
  const asking = await openConsole(t, app, { headers, path: `${path}&unfinished=1` });
  for (const client of [text, json, asking]) await client.until(({ frames }) => frames.length === 1);
  supervisor.prompt('50 % "done" ');
  await asking.until(({ frames }) => frames.length === 2);
  t.same(JSON.parse(asking.frames[1] ?? ''), { unfinished: '50 % "done" ' });
  const late = await openConsole(t, app, { headers, path: `${path}&unfinished=1&after=1` });
  await late.until(({ frames }) => frames.length === 1);
  t.same(JSON.parse(late.frames[0] ?? ''), { unfinished: '50 % "done" ' });
  supervisor.print('two');
  for (const client of [text, json]) await client.until(({ frames }) => frames.length === 2);
  await late.until(({ frames }) => frames.length === 2);
  t.equal(text.text(), 'one\r\ntwo\r\n');
  t.match(JSON.parse(json.frames[1] ?? ''), { lines: [{ seq: 2, text: 'two' }] });
  t.match(JSON.parse(late.frames[1] ?? ''), { lines: [{ seq: 2, text: 'two' }] });
});

t.test('rotated lines are announced as skipped', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const headers = await bearer();
  supervisor.print('a', 'b', 'c', 'd');
  supervisor.rotateAway(3);
  const text = await openConsole(t, app, { headers, path: '/ws/instances/demo/console?after=1' });
  await text.until((client) => client.text().includes('d\r\n'));
  t.equal(text.text(), '[gamekeeper] skipped 2 lines\r\nd\r\n');
  const json = await openConsole(t, app, { headers, path: '/ws/instances/demo/console?after=1&format=json' });
  await json.until(({ frames }) => frames.length === 2);
  t.same(JSON.parse(json.frames[0] ?? ''), { skipped: 2 });
});

t.test('all viewers of a console share one stream, which ends with the last viewer', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const headers = await bearer();
  const clients = await Promise.all([1, 2, 3].map(() => openConsole(t, app, { headers })));
  while (supervisor.followers === 0) await new Promise(setImmediate);
  t.equal(supervisor.followers, 1);
  supervisor.print('hello');
  await Promise.all(clients.map((client) => client.until(({ text }) => text() === 'hello\r\n')));
  for (const { socket } of clients) socket.close();
  while (supervisor.followers > 0) await new Promise(setImmediate);
  const again = await openConsole(t, app, { headers });
  await again.until(({ text }) => text() === 'hello\r\n');
});

t.test('sent lines are typed, given the right scope', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const client = await openConsole(t, app, { headers: await bearer(['logs:read', 'servers:write']) });
  client.socket.send('say hello');
  client.socket.send('say ä');
  while (supervisor.heard.length < 2) await new Promise(setImmediate);
  t.same(supervisor.heard, ['say hello', 'say ä']);

  for (const bad of ['two\nlines', 'a\rb', '\x1b[A', 'x'.repeat(1_447), 'list\n', '\u0085', ''])
    client.socket.send(bad);
  client.socket.send(Buffer.from('list'));
  await client.until(({ text }) => text().split('[gamekeeper] refused\r\n').length === 9, 'eight refusals');
  client.socket.send('x'.repeat(1_446));
  client.socket.send('nobody hears');
  await client.until(({ text }) => text().endsWith('[gamekeeper] The server is stopped.\r\n'));
  t.equal(supervisor.heard.length, 3);

  const viewer = await openConsole(t, app, { headers: await bearer(['logs:read']) });
  viewer.socket.send('stop');
  await viewer.until(({ text }) => text().includes('[gamekeeper] not allowed\r\n'));
  supervisor.print('still there');
  await viewer.until(({ text }) => text().endsWith('still there\r\n'));
  t.equal(supervisor.heard.length, 3);
});

t.test('the terminal takes the last size from a client that may send', async (t) => {
  const { app, bearer, supervisor } = await build(t);
  const path = '/ws/instances/demo/console?columns=100&rows=30';
  const viewer = await openConsole(t, app, { headers: await bearer(['logs:read']), path });
  viewer.socket.send(Buffer.from('{"columns":90,"rows":20}'));
  await viewer.until(({ text }) => text() === '[gamekeeper] not allowed\r\n');
  const sender = await openConsole(t, app, { headers: await bearer(), path });
  while (supervisor.sizes.length < 1) await new Promise(setImmediate);
  for (const bad of ['{"columns":19,"rows":20}', '{"columns":90}', '{"columns":90,"rows":20.5}', 'null', '{'])
    sender.socket.send(Buffer.from(bad));
  await sender.until(({ text }) => text() === '[gamekeeper] refused\r\n'.repeat(5), 'five refusals');
  sender.socket.send(Buffer.from('{"columns":500,"rows":5}'));
  while (supervisor.sizes.length < 2) await new Promise(setImmediate);
  t.same(supervisor.sizes, [
    { columns: 100, rows: 30 },
    { columns: 500, rows: 5 },
  ]);
  t.same(supervisor.heard, []);
});

t.test('commands count against the rate limit', async (t) => {
  const { app, bearer, supervisor } = await build(t, { settings: { limits: { requestsPerSecond: 1, burst: 4 } } });
  const client = await openConsole(t, app, { headers: await bearer() });
  for (let n = 0; n < 6; n++) client.socket.send(`say ${n}`);
  await client.until(({ text }) => text().includes('[gamekeeper] too fast\r\n'));
  t.ok(supervisor.heard.length < 6);
});

t.test('a typed command is recorded without its arguments', async (t) => {
  const { app, bearer, daemon } = await build(t);
  const client = await openConsole(t, app, { headers: await bearer(), path: '/ws/instances/demo/console?format=text' });
  client.socket.send('op mallory');
  while (daemon.audited.length === 0) await new Promise(setImmediate);
  t.match(daemon.audited, [{ who: 'command line (token test)', method: 'WS', path: '/ws/instances/demo/console' }]);
  t.notMatch(JSON.stringify(daemon.audited), /mallory/);
});

t.test('a socket ends with its credential', async (t) => {
  const { app, bearer, cookie, daemon } = await build(t);
  const byToken = await openConsole(t, app, { headers: await bearer() });
  const other = await openConsole(t, app, { headers: await bearer() });
  const session = await cookie();
  const byCookie = await openConsole(t, app, { headers: { cookie: session.cookie } });
  const ends = [byToken.closed(), byCookie.closed()];
  daemon.revokeToken({ id: 't1', by: null });
  await app.inject({ method: 'POST', url: '/api/logout', headers: session });
  for (const end of await Promise.all(ends)) t.equal(end.code, 1008);
  t.equal(other.socket.readyState, other.socket.OPEN, 'other sockets stay open');
});

t.test('a credential that has ended types nothing more, even if the client ignores the close', async (t) => {
  const { app, bearer, daemon, supervisor } = await build(t);
  const headers = await bearer();
  const stubborn = await openConsole(t, app, { headers });
  const polite = await openConsole(t, app, { headers });
  const other = await openConsole(t, app, { headers: await bearer() });
  stubborn.socket.send('before');
  while (supervisor.heard.length < 1) await new Promise(setImmediate);
  // It never reads the close frame, so it never answers it.
  stubborn.socket.pause();
  const closed = polite.closed();
  daemon.revokeToken({ id: 't1', by: null });
  await closed;
  stubborn.socket.send('op mallory');
  other.socket.send('after');
  while (!supervisor.heard.includes('after')) await new Promise(setImmediate);
  t.same(supervisor.heard, ['before', 'after']);
});

t.test('deleting an instance closes its consoles', async (t) => {
  const { app, bearer, daemon, supervisor, dropSupervisor } = await build(t);
  const client = await openConsole(t, app, { headers: await bearer() });
  while (supervisor.followers === 0) await new Promise(setImmediate);
  const closed = client.closed();
  await daemon.deleteInstance({ id: 'demo', files: 'keep', backups: 'keep' });
  await dropSupervisor();
  t.match(await closed, { code: 1000, reason: /deleted/ });
});
