import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createAdminSession } from '../../../../workers/supervisor/admin/admin-session.ts';
import { createTelnet } from '../../../../workers/supervisor/admin/telnet.ts';
import { createRconTally } from '../../../../workers/supervisor/rcon/tally.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { pathOf, requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

const password = 'tee-secret';
const LIMIT = { timeoutMs: 10_000 };
const sessionAt = (port: number, secret = password) =>
  createAdminSession(createTelnet({ host: '127.0.0.1', port, password: secret }), createRconTally());

/** Starts Debian's teeworlds-server with its external console on the returned port. */
async function startTeeworlds(t: Test): Promise<{ port: number; exited: Promise<unknown> }> {
  const cwd = temporaryFolder(t);
  const port = await freePort();
  const settings = { sv_port: await freePort(), sv_register: 0, ec_port: port, ec_password: password };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(path.join(cwd, 'server.cfg'), lines.join(''));
  writeFileSync(path.join(cwd, 'storage.cfg'), 'add_path $CURRENTDIR\nadd_path $DATADIR\n');
  const server = spawn(pathOf('teeworlds-server')!, ['-f', 'server.cfg'], { cwd, stdio: 'ignore' });
  const exited = once(server, 'exit');
  t.teardown(async () => {
    server.kill('SIGKILL');
    await exited;
  });
  return { port, exited };
}

t.test('Teeworlds takes commands over its external console', async (t) => {
  if (!requireProgram(t, 'teeworlds-server', 'teeworlds-server')) return;
  const { port, exited } = await startTeeworlds(t);
  const session = sessionAt(port);
  t.teardown(() => session.close());
  const name = await until('it takes commands', () => session.run('sv_name', LIMIT).catch(() => undefined));
  t.match(name, /Value: /);
  t.match(await session.run('say hello', LIMIT), /\*\*\* hello/);
  await t.rejects(sessionAt(port, 'wrong').run('sv_name', LIMIT), { name: 'RconError', reason: 'password-refused' });
  await session.run('shutdown', LIMIT).catch(() => undefined);
  await exited;
  await t.rejects(session.run('sv_name', LIMIT), { name: 'RconError', reason: 'refused' });
});

t.test('a connection that ends during the login is told from one that ends later', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('\xff\xfd\x22Please enter password:\r\n', 'latin1');
    socket.once('data', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  await t.rejects(sessionAt(port).run('help', LIMIT), { name: 'RconError', reason: 'closed-during-login' });
});
