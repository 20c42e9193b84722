/**
 * A request for one command types one command: nothing in it (player names, reasons, properties, chat) becomes another command, an escape
 * sequence of the terminal, or another line of a file.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { PLAYER_ACTIONS } from '../../shared/domain/players/player-action.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Characters that some program treats as the end of a line or as control characters. */
const ENDS = [
  '\n',
  '\r',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
  '\0',
  '\x03',
  '\x04',
  '\x1b[A\r',
  '\x1a',
  '\x7f',
];
/** Characters that are refused. */
const isControl = (end: string) => /[\u0000-\u001f\u007f-\u009f]/.test(end);

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.waitForStatus('demo', 'running');
const post = (where: string, body: object) =>
  gamekeeper.api<{ code?: string }>('POST', `/instances/demo/${where}`, body);

async function isStillRunning(t: Test, what: string): Promise<void> {
  const { body } = await gamekeeper.api('GET', '/instances/demo');
  t.match(body, { status: 'running', phase: 'running' }, what);
}

t.test('a command cannot contain another one', async (t) => {
  for (const end of ENDS) {
    const answer = await post('commands', { command: `say hello${end}stop` });
    if (isControl(end)) t.match(answer, { status: 400, body: { code: 'invalid_request' } }, shown(end));
    await isStillRunning(t, shown(end));
  }
  for (const command of ['', '\n', 'x'.repeat(1_447), '\ud800', 'é'.repeat(1_000)])
    t.equal((await post('commands', { command })).status, 400, shown(command.slice(0, 10)));
});

t.test('a console message cannot contain several commands', async (t) => {
  const viewer = await gamekeeper.console('demo');
  for (const end of ENDS.filter(isControl)) viewer.send(`say hello${end}stop`);
  viewer.send('say the last one');
  await viewer.waitFor(/\[Server\] the last one/);
  t.equal(viewer.text().split('[gamekeeper] refused').length - 1, ENDS.filter(isControl).length);
  await isStillRunning(t, 'none of them was executed');
});

t.test('player names cannot contain a command', async (t) => {
  const names = [
    ...ENDS.map((end) => `Steve${end}stop`),
    '@a',
    '@e[type=player]',
    'Steve stop',
    '"Steve"',
    '..',
    '-',
    'a'.repeat(17),
    'Stéve',
    '/stop',
    '{"a":1}',
  ];
  for (const name of names)
    for (const action of PLAYER_ACTIONS) {
      const { status } = await post(`players/${encodeURIComponent(name)}/${action}`, {});
      t.ok(status === 400 || status === 404, `${action} ${shown(name)}: ${status}`);
    }
  await isStillRunning(t, 'names');
  t.equal(readFileSync(path.join(gamekeeper.home, 'instances/demo/ops.json'), 'utf8').includes('Steve'), false);
});

t.test('reasons cannot contain a command', async (t) => {
  for (const end of ENDS) {
    const { status } = await post('players/Steve/kick', { reason: `bye${end}stop` });
    if (isControl(end)) t.equal(status, 400, shown(end));
    await isStillRunning(t, shown(end));
  }
});

t.test('properties cannot contain another line', async (t) => {
  const put = (properties: object) => gamekeeper.api('PUT', '/instances/demo/properties', { properties });
  const file = path.join(gamekeeper.home, 'instances/demo/server.properties');
  for (const end of ENDS) {
    const motd = `hello${end}injected=true`;
    const { status } = await put({ motd });
    if (status === 200)
      t.match((await gamekeeper.api('GET', '/instances/demo/properties')).body, { properties: { motd } }, shown(end));
    t.ok([200, 400].includes(status), `${shown(end)}: ${status}`);
    t.notMatch(readFileSync(file, 'utf8'), /^[ \t]*injected/m, 'it is still one value');
  }
  for (const motd of [
    'a\\',
    'a\\u000ainjected=true',
    '\\u',
    ' leading',
    '#comment',
    '!',
    '=',
    ':',
    'a\\\ninjected=true',
  ])
    t.equal((await put({ motd })).status, 200, shown(motd));
  t.match((await gamekeeper.api('GET', '/instances/demo/properties')).body, {
    properties: { motd: 'a\\\ninjected=true' },
  });
  for (const key of ['a\ninjected', 'a b', '', '#a', 'é', 'a\0', 'x'.repeat(101), '__proto__'])
    t.ok([200, 400].includes((await put(JSON.parse(`{${JSON.stringify(key)}: "true"}`))).status), shown(key));
  t.notMatch(readFileSync(file, 'utf8'), /^[ \t]*injected/m);
});

t.test("the owner's own commands are one line, too", async (t) => {
  for (const end of ENDS.filter(isControl)) {
    const line = `save-all${end}op Mallory`;
    for (const body of [{ stopCommand: line }, { saveCommands: { flush: line } }, { saveCommands: { on: line } }])
      t.equal((await gamekeeper.api('PATCH', '/instances/demo', body)).status, 400, shown(body));
  }
});

t.test('the command line refuses them, too', async (t) => {
  const { code } = await gamekeeper.cli('exec', 'demo', 'say', 'hello\nstop');
  t.not(code, 0);
  await isStillRunning(t, 'exec');
});

/** Returns printable text for the test report. */
function shown(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
