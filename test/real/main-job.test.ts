import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import t from 'tap';
import type { ActionResponse, BackupResponse, LogsResponse, Player } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { joinPlayer } from './player.ts';

const run = promisify(execFile);

/** Player counts come from polling the server list ping every few seconds. */
const COUNTED_DEADLINE_MS = 20_000;

t.test('a third-party server is created, played on, backed up while it runs, and stopped', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const port = await freePort();
  const server = join(import.meta.dirname, 'flying-squid.js');

  const created = await gamekeeper.api<Instance>('POST', '/instances', {
    name: 'Squid',
    software: 'custom',
    port,
    launch: { command: [process.execPath, server, '--port', String(port)] },
    readyPattern: 'Server listening on port',
  });
  t.equal(created.status, 201, 'the instance is created');
  t.match(created.body, { id: 'squid', name: 'Squid', software: 'custom', version: 'custom', port, status: 'stopped' });
  t.match(created.headers.get('location'), /\/instances\/squid$/);

  const started = await gamekeeper.api<ActionResponse>('POST', '/instances/squid/start');
  t.equal(started.status, 200, 'the start is accepted');
  t.match(started.body, { success: true, message: String });
  await gamekeeper.waitForStatus('squid', 'running');
  const viewer = await gamekeeper.console('squid');
  await viewer.waitFor(/Server listening on port/);

  const anna = joinPlayer({ port, name: 'Anna' });
  const bert = joinPlayer({ port, name: 'Bert' });
  t.teardown(() => Promise.all([anna.quit(), bert.quit()]));
  await Promise.all([anna.whenSpawned, bert.whenSpawned]);
  await viewer.waitFor(/Anna .*connected/);
  const counted = await playersOnline(2);
  t.equal(counted.playersOnline, 2, 'both players are counted');
  t.ok((counted.cpuPercent ?? -1) >= 0, 'CPU usage is known');
  t.ok((counted.memoryUsedMb ?? 0) > 20, 'memory is known');
  const players = await gamekeeper.api<Player[]>('GET', '/instances/squid/players');
  t.same(players.body.map((player) => player.name).sort(), ['Anna', 'Bert'], 'players are listed by name');

  const kicked = await gamekeeper.api<ActionResponse>('POST', '/instances/squid/players/Bert/kick', {
    reason: 'only a test',
  });
  t.equal(kicked.status, 200, 'the kick is accepted');
  t.match(await bert.kicked, /only a test/, 'the player is kicked with the reason');
  await bert.left;
  await viewer.waitFor(/kicked Bert \(only a test\)/);
  t.equal((await playersOnline(1)).playersOnline, 1, 'one player is left');

  viewer.send('say hello from the console');
  await viewer.waitFor(/\[CHAT\]: \[Server\] hello from the console/);

  const backup = await gamekeeper.api<BackupResponse>('POST', '/instances/squid/backup', { cloudReplicate: false });
  t.equal(backup.status, 200, 'a backup is made while the server runs');
  t.match(backup.body, { backupId: String, sha256: /^[0-9a-f]{64}$/, cloudStatus: 'disabled' });
  const archive = join(gamekeeper.home, 'backups/squid', `${backup.body.backupId}.zip`);
  t.equal((await stat(archive)).size, backup.body.sizeBytes, 'the response has its size');

  t.match((await gamekeeper.api('POST', '/instances/squid/stop')).status, 200, 'the stop is accepted');
  await anna.left;
  const stopped = await gamekeeper.waitForStatus('squid', 'stopped');
  t.match(stopped, { phase: 'stopped', crash: undefined }, 'the server stopped and did not crash');
  await viewer.waitFor(/Server is closed/);

  const logs = await gamekeeper.api<LogsResponse>('GET', '/instances/squid/logs?lines=1000');
  const log = logs.body.lines.join('\n');
  t.match(log, /kicked Bert \(only a test\)/, 'the log is available while the server is stopped');
  t.equal(log, stripVTControlCharacters(log), 'the log has no control codes');

  await t.test('unzip finds a valid archive with the world in it', async (t) => {
    if (!requireProgram(t, 'unzip', 'unzip')) return;
    t.match((await run('unzip', ['-t', archive])).stdout, /No errors detected/);
    const names = (await run('unzip', ['-Z1', archive])).stdout.split('\n');
    t.ok(names.includes('world/level.dat'));
    t.ok(names.some((name) => /^world\/region\/r\.-?\d+\.-?\d+\.mca$/.test(name)));
  });

  await t.test('sha256sum returns the same hash as the response', async (t) => {
    if (!requireProgram(t, 'sha256sum', 'coreutils')) return;
    const { stdout } = await run('sha256sum', [archive]);
    t.equal(stdout.split(' ')[0], backup.body.sha256);
  });

  function playersOnline(count: number): Promise<Instance> {
    return until(
      `${count} players are counted`,
      async () => {
        const { body } = await gamekeeper.api<Instance[]>('GET', '/instances');
        const squid = body.find((instance) => instance.id === 'squid');
        return squid?.playersOnline === count && squid;
      },
      { deadlineMs: COUNTED_DEADLINE_MS },
    );
  }
});
