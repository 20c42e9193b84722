/**
 * A game, or someone who names things, cannot act on the terminal of those who look: answers over RCON are cleaned like console lines, and
 * names are one printable line. What the command line prints is in `test/daemon/cli/terminal/printable.test.ts`.
 */
import path from 'node:path';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const ESCAPES = '\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m \u202eabc\u200b\u2028 C1 \u009b31m\x00\tend';
const SERVER = path.join(import.meta.dirname, '../fixtures/scripted-server.ts');
const PASSWORD = 'correct horse battery';

const gamekeeper = await startGamekeeper(t);

t.test('an answer over RCON is plain text', async (t) => {
  const rcon = { port: await freePort(), password: PASSWORD };
  const answers = { evil: ESCAPES, 'kick Steve': ESCAPES, two: 'one\r\ntwo\n', long: 'x'.repeat(100_000) };
  await gamekeeper.api('POST', '/instances', {
    name: 'Rcon',
    software: 'custom',
    launch: { command: [process.execPath, SERVER, String(rcon.port), PASSWORD, JSON.stringify(answers)] },
    readyPattern: 'up',
    rcon,
  });
  await gamekeeper.api('POST', '/instances/rcon/start');
  await gamekeeper.waitForStatus('rcon', 'running');
  const run = async (command: string) =>
    (await gamekeeper.api<{ output: string }>('POST', '/instances/rcon/commands', { command })).body.output;
  t.equal(await run('evil'), 'red <U+202E>abc<U+200B><U+2028> C1 \tend');
  t.equal(await run('two'), 'one\ntwo\n', 'lines stay');
  t.equal((await run('long')).length, 100_000, 'a long line is not cut');
  const kicked = await gamekeeper.api('POST', '/instances/rcon/players/Steve/kick');
  t.notMatch(JSON.stringify(kicked.body), /\\u001b|\\u0007|\u202e|\u009b/);
  t.match((await gamekeeper.cli('exec', 'rcon', 'evil')).stdout, 'red <U+202E>abc<U+200B><U+2028> C1 \tend\n');
});

t.test('names are one printable line', async (t) => {
  const cookie = await gamekeeper.login();
  const session = { cookie, origin: new URL(gamekeeper.addresses().panel).origin };
  const schedule = { cron: '0 4 * * *', action: { type: 'backup' } };
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  for (const part of [
    '\x1b[2J',
    '\n',
    '\r',
    '\u0085',
    '\u009b',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u2028',
    '\ufeff',
    '\x7f',
  ]) {
    const name = `a${part}b`;
    const requests = [
      gamekeeper.api('POST', '/instances', { name, software: 'demo' }),
      gamekeeper.api('PATCH', '/instances/demo', { name }),
      gamekeeper.api('POST', '/instances/demo/clone', { name }),
      gamekeeper.api('PUT', '/instances/demo/schedules', { schedules: [{ name, ...schedule }] }),
      gamekeeper.api('POST', '/api/tokens', { name }, session),
      gamekeeper.api('POST', '/api/users', { username: name, role: 'viewer' }, session),
    ];
    for (const { status, body } of await Promise.all(requests))
      t.match({ status, body }, { status: 400, body: { code: 'invalid_request' } }, encodeURIComponent(name));
  }
  for (const name of ['Überleben 生存', "O'Neil <b>", '🎮', 'سرور'])
    t.match(await gamekeeper.api('PATCH', '/instances/demo', { name }), { status: 200, body: { name } });
});
