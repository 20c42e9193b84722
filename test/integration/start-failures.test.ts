import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const DAEMON = path.join(import.meta.dirname, '../../dist/daemon/main.js');

/** Runs a daemon whose start is expected to fail. */
async function failedStart(home: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [DAEMON, '--home', home], {
    env: { ...process.env, GAMEKEEPER_PORT: '0', GAMEKEEPER_REMOTE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

t.test('an unknown settings key is reported with the allowed keys and exit status 2', async (t) => {
  const home = temporaryFolder(t);
  await writeFile(path.join(home, 'settings.json'), JSON.stringify({ remoteControl: { prot: 1 } }));
  const { code, said } = await failedStart(home);
  t.equal(code, 2);
  t.match(said, /"prot" in remoteControl: unknown key[\s\S]*panelPort/);
  t.same(await readdir(home), ['settings.json'], 'no partial file is left');
});

t.test('a port in use is reported, and no process is left', async (t) => {
  const home = temporaryFolder(t);
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as { port: number };
  for (const variable of ['GAMEKEEPER_PORT', 'GAMEKEEPER_REMOTE_PORT']) {
    const { code, said } = await failedStart(home, { [variable]: String(port) });
    t.equal(code, 1, variable);
    t.match(said, new RegExp(`Port ${port} .*in use`));
    t.notOk(existsSync(path.join(home, 'run/daemon.json')));
    t.same(processesOf(home), [], 'no process is left');
  }
});

t.test('an address beyond loopback is refused without TLS', async (t) => {
  const { code, said } = await failedStart(temporaryFolder(t), { GAMEKEEPER_HOST: '0.0.0.0' });
  t.equal(code, 2);
  t.match(said, /0\.0\.0\.0[\s\S]*(tls|insecure)/i);
});

t.test('a data directory that cannot be written is reported', async (t) => {
  const file = path.join(temporaryFolder(t), 'a-file');
  await writeFile(file, '');
  const { code, said } = await failedStart(path.join(file, 'home'));
  t.equal(code, 1);
  t.match(said, /a-file/);
  t.notMatch(said, /\n\s+at /, 'no stack trace');
});

t.test("a data directory in use is refused with the running daemon's pid", async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { code, said } = await failedStart(gamekeeper.home);
  t.equal(code, 1);
  t.match(said, new RegExp(`already running[\\s\\S]*${gamekeeper.pid()}`));
  t.equal((await fetch(`${gamekeeper.addresses().panel}/health`)).status, 200, 'the first daemon is not affected');

  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.equal(
    (await fetch(`${gamekeeper.addresses().panel}/health`)).status,
    200,
    'the lock of a killed daemon is ignored',
  );
});
