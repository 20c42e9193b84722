/** The machine's clock is set while everything runs: no timeout fires early or late, and nothing is lost. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import { freePort } from '../support/machine/free-port.ts';
import { machineClock } from '../support/machine/machine-clock.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { fill } from '../workers/pool/round-trip.ts';

const AT = '/instances/demo';
const MIB = 1024 * 1024;

t.test('backups, leases, tokens, consoles and restarts work while the clock is set forward and back', async (t) => {
  const clock = machineClock(t);
  if (!clock) return;
  const gamekeeper = await startGamekeeper(t, { env: clock.env });
  const { api, home } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  fill(path.join(home, 'instances/demo'), { 'world/region/r.9.9.mca': randomBytes(60 * MIB) });
  await api('POST', `${AT}/start`);
  await gamekeeper.waitForStatus('demo', 'running');
  const viewer = await gamekeeper.console('demo');
  const cookie = await gamekeeper.login();
  const instance = async () => (await api<Instance>('GET', AT)).body;
  const archives = path.join(home, 'backups/demo');

  for (const offset of ['-1d', '+1d', '+0'])
    await t.test(`clock set to ${offset}`, async (t) => {
      const { body: begun } = await api<Job>('POST', `${AT}/backup`, undefined, {
        authorization: `Bearer ${await gamekeeper.token()}`,
        prefer: 'respond-async',
      });
      await until(
        'the archive is being written',
        () => existsSync(archives) && readdirSync(archives).some(isUnfinished),
      );
      clock.set(offset);
      const job = await until('the backup has ended', async () => {
        const { body } = await api<Job>('GET', `/jobs/${begun.jobId}`);
        return !/queued|running/.test(body.state) && body;
      });
      t.match(job, { state: 'done' });
      t.match(await api('GET', '/health'), { status: 200 });

      // The token and the session are older than the jump.
      const now = await instance();
      t.match(now, { status: 'running', activity: undefined, degraded: undefined });
      const { uptimeSeconds = -1 } = now;
      t.ok(uptimeSeconds >= 0 && uptimeSeconds < 3_600, `up for ${uptimeSeconds} s`);
      if (offset === '-1d') t.match(await api('GET', AT, undefined, { cookie }), { status: 200 });
      t.match((await api('POST', `${AT}/commands`, { command: 'save-on' })).body, { output: /already/ }, 'not locked');
      viewer.send(`say it is ${offset}`);
      await viewer.waitFor(new RegExp(`it is \\${offset}`));

      const made = await api<Backup>('POST', `${AT}/backup`);
      t.equal(made.status, 200);
      t.match(await api('POST', `${AT}/backups/${made.body.backupId}/verify`), { body: { ok: true } });
    });

  await t.test('a supervisor that is killed after the clock was set back is replaced', async (t) => {
    clock.set('-2d');
    const game = pidOf(home, /workers\/demo/);
    const former = pidOf(home, /workers\/supervisor/)!;
    process.kill(former, 'SIGKILL');
    await until('another supervisor has the game', async () => {
      const supervisor = pidOf(home, /workers\/supervisor/);
      return supervisor !== undefined && supervisor !== former && (await instance()).status === 'running';
    });
    t.equal(pidOf(home, /workers\/demo/), game);
  });

  await t.test('the next daemon reattaches the supervisor', async (t) => {
    const supervisor = pidOf(home, /workers\/supervisor/);
    await gamekeeper.endDaemon('SIGKILL');
    clock.set('+2d');
    await gamekeeper.startDaemon();
    t.match(await instance(), { status: 'running', degraded: undefined });
    t.equal(pidOf(home, /workers\/supervisor/), supervisor);
  });
});

function isUnfinished(name: string): boolean {
  return !/^[\w-]+\.(?:zip|json)$/.test(name);
}

function pidOf(home: string, command: RegExp): number | undefined {
  return processesOf(home).find((one) => command.test(one.command))?.pid;
}
