import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import { requestJson } from '../support/http/request-json.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const DIST = path.join(import.meta.dirname, '../../dist');

/** A daemon started by `gamekeeper up`, without a password in the environment. */
function up(t: Test, root: string, ...args: string[]) {
  const { GAMEKEEPER_ADMIN_PASSWORD: _, ...env } = process.env;
  const child = spawn(process.execPath, [path.join(DIST, 'daemon/cli/main.js'), 'up', '--home', root, ...args], {
    env: { ...env, GAMEKEEPER_PORT: '0', GAMEKEEPER_REMOTE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return {
    child,
    ended,
    said: () => said,
    ready: () => until('it is ready', () => existsSync(homeAt(root).daemonRecord), { describe: () => said }),
  };
}

t.test('a first run shows a password that works once, and a clean end leaves nothing running', async (t) => {
  const root = temporaryFolder(t);
  const home = homeAt(root);
  const daemon = up(t, root);
  await daemon.ready();
  const record = JSON.parse(await readFile(home.daemonRecord, 'utf8'));
  t.same(Object.keys(record), ['pid', 'version', 'panel', 'remote']);
  await until('the message is printed', () => daemon.said().includes('console demo'));
  t.match(daemon.said(), `Gamekeeper is ready: ${record.panel}\n`);
  const [, password] = /password {2}(\S+)/.exec(daemon.said()) ?? [];
  t.match(await requestJson('POST', new URL('/api/login', record.panel), { body: { username: 'admin', password } }), {
    status: 200,
    body: { role: 'admin', mustChangePassword: true },
  });

  daemon.child.kill('SIGINT');
  t.equal(await daemon.ended, 0);
  t.match(daemon.said(), /Gamekeeper has stopped\.\n$/);
  t.same(
    (await readdir(home.run)).sort(),
    ['daemon.lock.guard', 'folder', 'instances'],
    'no record and no socket are left',
  );
  t.same(processesOf(root), []);

  const again = up(t, root);
  await until('it is ready again', () => again.said().includes('Gamekeeper is ready'));
  t.notMatch(again.said(), /password/, 'the password is printed only once');
});

t.test('--json prints one document when the daemon is ready', async (t) => {
  const daemon = up(t, temporaryFolder(t), '--json');
  await daemon.ready();
  await until('the line is complete', () => daemon.said().endsWith('\n'));
  t.match(JSON.parse(daemon.said()), {
    panel: /^http:\/\/127\.0\.0\.1:\d+$/,
    remote: /^http/,
    admin: { username: 'admin', password: String },
  });
  daemon.child.kill('SIGTERM');
  t.equal(await daemon.ended, 0);
  t.equal(daemon.said().trim().split('\n').length, 1, 'nothing else is printed');
});

t.test('a killed gateway is replaced on the same port', async (t) => {
  const root = temporaryFolder(t);
  const daemon = up(t, root);
  await daemon.ready();
  const record = await readFile(homeAt(root).daemonRecord, 'utf8');
  const health = new URL('/health', JSON.parse(record).panel);
  for (let round = 0; round < 2; round++) {
    const [gateway] = processesOf(root).filter(({ command }) => /gateway\/main/.test(command));
    process.kill(gateway!.pid, 'SIGKILL');
    await until('the old process is gone', () => processesOf(root).every(({ pid }) => pid !== gateway!.pid));
    await until('it serves', () =>
      fetch(health).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
  }
  t.equal(await readFile(homeAt(root).daemonRecord, 'utf8'), record);
});
