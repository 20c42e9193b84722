import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { TunnelResponse } from '../../shared/schema/tunnel.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test("the README's tour works with the command line alone", async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { cli } = gamekeeper;
  const port = await freePort();

  const created = await cli('create', '--software', 'demo', '--name', 'Demo', '--port', String(port), '--json');
  t.equal(created.code, 0, created.stderr);
  t.match(JSON.parse(created.stdout) as Instance, { id: 'demo', software: 'demo', port, status: 'stopped' });

  t.match(await cli('start', 'demo'), { code: 0 });
  await gamekeeper.waitForStatus('demo', 'running');
  t.match((await cli('exec', 'demo', 'demo', 'join', 'Steve')).code, 0);
  const listed = await until(
    'the list counts the player',
    async () => {
      const [demo] = JSON.parse((await cli('list', '--json')).stdout) as Instance[];
      return demo?.playersOnline === 1 && demo;
    },
    { deadlineMs: 20_000 },
  );
  t.ok((listed.cpuPercent ?? -1) >= 0 && (listed.memoryUsedMb ?? 0) > 5, 'CPU and memory are live');
  t.match((await cli('list')).stdout, /demo.*running.*1\s*\/\s*20/i);
  t.match((await cli('exec', 'demo', 'list')).stdout, /There are 1 of a max of 20 players online: Steve/);

  const console = await typeIntoConsole(gamekeeper.home, 'say hello from the tour\n');
  t.match(console, /hello from the tour/);
  t.match((await cli('logs', 'demo', '-n', '200')).stdout, /Steve joined the game/);
  t.notMatch(
    (await cli('logs', 'demo', '-n', '200')).stdout,
    /Steve\[\/\d+\.\d+\.\d+\.\d+/,
    'no address leaves the worker',
  );

  const backedUp = await cli('backup', 'demo', '--json');
  t.equal(backedUp.code, 0, backedUp.stderr);
  const backup = JSON.parse(backedUp.stdout) as Backup;
  t.match(JSON.parse((await cli('backups', 'demo', '--json')).stdout), [
    { backupId: backup.backupId, sha256: backup.sha256, quiesced: true },
  ]);

  const refused = await cli('restore', 'demo', backup.backupId);
  t.equal(refused.code, 1, 'a running server is not restored');
  t.match(refused.stderr, /running/);

  t.match(await cli('stop', 'demo'), { code: 0 });
  await gamekeeper.waitForStatus('demo', 'stopped');
  const folder = path.join(gamekeeper.home, 'instances/demo');
  const level = await readFile(path.join(folder, 'server.properties'), 'utf8');
  await rm(path.join(folder, 'world'), { recursive: true });
  await writeFile(path.join(folder, 'server.properties'), 'ruined');
  t.match(await cli('restore', 'demo', backup.backupId), { code: 0 });
  t.equal(await readFile(path.join(folder, 'server.properties'), 'utf8'), level, 'the folder is restored');
  t.match(await cli('start', 'demo'), { code: 0 });
  await gamekeeper.waitForStatus('demo', 'running');
  t.match(JSON.parse((await cli('verify', 'demo', backup.backupId, '--json')).stdout), {
    ok: true,
    sha256: backup.sha256,
  });

  t.match(await cli('restart', 'demo'), { code: 0 });
  await gamekeeper.waitForStatus('demo', 'running');
  t.match(await cli('kill', 'demo'), { code: 0 });
  await gamekeeper.waitForStatus('demo', 'stopped');
  t.match(JSON.parse((await cli('status', '--json')).stdout), { version: '1.9.9', pid: gamekeeper.pid() });
});

t.test('tokens are created, listed and revoked from the command line', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { cli } = gamekeeper;
  const minted = JSON.parse(
    (await cli('token', 'create', '--name', 'bot', '--scope', 'servers:read', '--ttl', '1h', '--json')).stdout,
  );
  t.match(minted, { id: String, token: String, name: 'bot', scopes: ['servers:read'] });
  const authorization = `Bearer ${minted.token}`;
  t.equal((await gamekeeper.api('GET', '/instances', undefined, { authorization })).status, 200);
  t.match(await gamekeeper.api('POST', '/instances', { name: 'x', software: 'demo' }, { authorization }), {
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  t.match(JSON.parse((await cli('token', 'list', '--json')).stdout), [{ id: minted.id, name: 'bot' }]);
  t.match(await cli('token', 'revoke', minted.id), { code: 0 });
  t.equal((await gamekeeper.api('GET', '/instances', undefined, { authorization })).status, 401, 'revoked at once');
  t.match((await cli('token', 'revoke', 'nobody')).code, 1);
});

t.test('the exit status is 2 for wrong usage and 1 for an error of the API, whose text is printed', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  t.equal((await gamekeeper.cli('nonsense')).code, 2);
  t.equal((await gamekeeper.cli('start')).code, 2);
  const missing = await gamekeeper.cli('start', 'nobody', '--json');
  t.equal(missing.code, 1);
  t.match(missing.stderr, /Instance not found[\s\S]*nobody[\s\S]*list/i, 'title, detail and resolution');
  t.equal(missing.stdout, '', 'stdout has only JSON');
});

t.test('without a running Gamekeeper, the command line explains how to start it', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const tunnel = await gamekeeper.cli('create', '--software', 'demo', '--name', 'Demo', '--json');
  t.equal(tunnel.code, 0);
  t.match((await gamekeeper.api<TunnelResponse>('GET', '/instances/demo/tunnel')).body, {
    enabled: false,
    tunnelAddress: '',
    numericAddress: '',
    pingMs: -1,
  });
  await gamekeeper.endDaemon('SIGTERM');
  const answer = await gamekeeper.cli('list');
  t.equal(answer.code, 1);
  t.match(answer.stderr, /not running[\s\S]*gamekeeper up/);
});

/** Pipes input into `gamekeeper console demo`. Resolves to its output. */
function typeIntoConsole(home: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');
    const child = spawn(process.execPath, [program, 'console', 'demo'], {
      env: { ...process.env, GAMEKEEPER_HOME: home },
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    child.once('error', reject);
    child.once('exit', () => resolve(shown));
    child.stdin.end(input);
  });
}
