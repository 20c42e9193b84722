/**
 * Other users of the machine and plugins find no secrets in process lists, environments, files and sockets, and errors reveal nothing about the
 * machine.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const CANARY = 'canary-of-the-environment';
const RCON = 'rcon-password-of-the-owner';

const gamekeeper = await startGamekeeper(t, {
  settings: { log: { level: 'trace' } },
  env: { GAMEKEEPER_CANARY: CANARY, AWS_SECRET_ACCESS_KEY: CANARY, NODE_OPTIONS: '', MY_TOKEN: CANARY },
});
const { home } = gamekeeper;
await gamekeeper.api('POST', '/instances', {
  name: 'Demo',
  software: 'demo',
  port: await freePort(),
  rcon: { port: 25598, password: RCON },
});
await gamekeeper.api('POST', '/instances', {
  name: 'Env',
  software: 'custom',
  launch: { command: ['/bin/sh', '-c', 'env; sleep 600'] },
  env: { OWN: 'set by the owner' },
  readyPattern: 'OWN',
});
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.api('POST', '/instances/env/start');
await gamekeeper.waitForStatus('demo', 'running');
const token = await gamekeeper.token();
const admin = await signedInAdmin(gamekeeper);
const cookie = (admin.headers.cookie ?? '').split('=')[1] ?? '';
const user = await signedInUser(gamekeeper, { username: 'ann', role: 'operator' });
const begun = await user.api<{ secret: string }>('POST', '/api/totp', { password: user.password });
const secrets = {
  password: gamekeeper.password,
  ann: user.password,
  RCON,
  CANARY,
  token,
  cookie,
  totp: begun.body.secret,
};

t.test('a game gets only the allowed variables of our environment', async (t) => {
  await gamekeeper.waitForStatus('env', 'running');
  const { body } = await gamekeeper.api('GET', '/instances/env/logs?lines=1000');
  t.match(JSON.stringify(body), /OWN=set by the owner/);
  t.notMatch(JSON.stringify(body), /GAMEKEEPER_|NODE_|canary|AWS_|MY_TOKEN/);
  for (const { pid, command } of processesOf(home)) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    if (!/daemon\/main/.test(command)) t.notMatch(environment, gamekeeper.password, `environment of ${command}`);
    if (/workers\/demo|bin\/sh|sleep|^env/.test(command)) t.notMatch(environment, /GAMEKEEPER_|canary/, command);
  }
});

t.test('command lines have no secrets', async (t) => {
  const processes = processesOf(home);
  t.ok(processes.length >= 5, `${processes.length} processes`);
  for (const { command } of processes)
    for (const [name, secret] of Object.entries(secrets)) t.notOk(command.includes(secret), `${name}: ${command}`);
});

t.test('only the owner may open our files and sockets', async (t) => {
  const open = everythingBelow(home).filter(({ mode }) => (mode & 0o077) !== 0);
  // A game may set any mode in its own folder, but the folder around them is closed to others.
  // The mode of the settings is the owner's choice; here this test wrote them.
  const ours = open.filter(({ name }) => !/^(instances\/\w+\/|cache\/compile\/|settings\.json$)/.test(name));
  t.same(
    ours.map(({ name, mode }) => `${name} ${mode.toString(8)}`),
    [],
  );
  t.equal(statSync(path.join(home, 'instances')).mode & 0o077, 0);
  const sockets = everythingBelow(home).filter(({ isSocket }) => isSocket);
  t.ok(sockets.length >= 4, `${sockets.map(({ name }) => name)}`);
  for (const { name, mode } of sockets) t.equal(mode, 0o600, name);
});

t.test('errors have no paths and stack traces', async (t) => {
  const answers = [
    await gamekeeper.api('GET', '/instances/nowhere'),
    await gamekeeper.api('GET', '/nowhere'),
    await gamekeeper.api('GET', '/instances/demo/logs?lines=x'),
    await gamekeeper.api('POST', '/instances/demo/commands', { command: 7 }),
    await gamekeeper.api('POST', '/instances', { name: 7 }),
    await gamekeeper.api('GET', '/api/audit', undefined, {}),
  ];
  for (const { body } of answers)
    t.notMatch(JSON.stringify(body), /node_modules|\.ts\b|\.js:|at [A-Z]\w+ \(|\/tmp\/|\/home\/|SQLITE|zod/i);
});

interface Found {
  name: string;
  mode: number;
  isFile: boolean;
  isSocket: boolean;
}

function everythingBelow(root: string): Found[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
    if (!stats) return [];
    return [{ name, mode: stats.mode & 0o777, isFile: stats.isFile(), isSocket: stats.isSocket() }];
  });
}
