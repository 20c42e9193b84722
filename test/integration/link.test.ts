/** A daemon is linked to a hosted proxy by the command line, and unlinked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { connectDaemon } from '../../gateway/upstream/clients.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { hostedProxy } from '../support/stand-ins/hosted-proxy.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');

/** Runs `gamekeeper link --json`. Returns the code as soon as it is printed. */
async function startLinking(t: Test, home: string, args: string[]) {
  const child = spawn(process.execPath, [COMMAND_LINE, 'link', ...args, '--json'], {
    env: { ...process.env, GAMEKEEPER_HOME: home },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const lines: Record<string, string>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const ended = endOf(child);
  const code = await until('the code is printed', () => lines[0]?.userCode, { describe: () => stderr });
  return { child, code, lines, ended: async () => ({ status: await ended, stderr }) };
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [status] = await once(child, 'close');
  return status;
}

t.test('links, limits, survives restarts and unlinks', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const proxy = await hostedProxy(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const linking = await startLinking(t, gamekeeper.home, [
    proxy.issuer,
    '--scopes',
    'servers:read,logs:read',
    '--name',
    'Basement',
  ]);
  await proxy.approve(linking.code);
  t.match(await linking.ended(), { status: 0 });
  const { daemonId = '', resource } = linking.lines[1] ?? {};
  t.equal(resource, `urn:uuid:${daemonId}`);
  t.match(proxy.daemons.get(daemonId), { name: 'Basement', scopes: ['servers:read', 'logs:read'] });

  const headers = {
    authorization: `Bearer ${await proxy.token(daemonId, ['servers:read', 'servers:write', 'logs:read'])}`,
  };
  const status = async (method: string, url: string) => (await gamekeeper.api(method, url, undefined, headers)).status;
  t.equal(await status('GET', '/instances'), 200);
  t.equal(await status('POST', '/instances/demo/start'), 403, 'above the ceiling');

  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.equal(await status('GET', '/instances'), 200, 'the link is kept');
  const daemon = connectDaemon(homeAt(gamekeeper.home).daemonSocket);
  t.teardown(() => daemon.close());
  await t.resolves(proxy.checkDaemonToken(await daemon.call.linkToken(), daemonId), 'and so is the key');
  t.same(filesWith(gamekeeper.home, 'PRIVATE KEY'), ['gamekeeper.db'], 'the key is in the database only');
  t.equal(statSync(path.join(gamekeeper.home, 'gamekeeper.db')).mode & 0o777, 0o600);

  const viewer = new WebSocket(`${gamekeeper.addresses().panel.replace(/^http/, 'ws')}/ws/instances/demo/console`, {
    headers,
  });
  t.teardown(() => viewer.terminate());
  await once(viewer, 'open');
  t.match(await gamekeeper.cli('unlink'), { code: 0, stdout: /^Unlinked\./ });
  t.notOk(proxy.daemons.has(daemonId));
  t.equal(await status('GET', '/instances'), 401);
  await until('the console is closed', () => viewer.readyState === viewer.CLOSED);
  t.match(await gamekeeper.cli('unlink'), { code: 1, stderr: /Not linked/ });
});

t.test('Ctrl-C cancels a request, and --cancel one whose terminal is gone', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const proxy = await hostedProxy(t);
  const first = await startLinking(t, gamekeeper.home, [proxy.issuer]);
  t.match(await gamekeeper.cli('link', proxy.issuer), { code: 1, stderr: /--cancel/ });
  first.child.kill('SIGINT');
  t.match(await first.ended(), { status: 1, stderr: /was cancelled/ });

  const second = await startLinking(t, gamekeeper.home, [proxy.issuer]);
  t.match(await gamekeeper.cli('link', '--status'), {
    stdout: new RegExp(`waits for approval with the code ${second.code}`),
  });
  second.child.kill('SIGKILL');
  t.match(await gamekeeper.cli('link', '--cancel'), { code: 0 });

  const third = await startLinking(t, gamekeeper.home, [proxy.issuer]);
  await proxy.deny(third.code);
  t.match(await third.ended(), { status: 1, stderr: /denied/ });
  t.equal(proxy.daemons.size, 0);
});

/** Returns the files of a folder that contain the text; the database's log counts as the database. */
function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.filter(({ parentPath, name }) => readFileSync(path.join(parentPath, name)).includes(text));
  return [...new Set(found.map(({ name }) => name.replace(/-wal$/, '')))];
}
