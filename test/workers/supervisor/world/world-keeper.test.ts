import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import {
  type RunningSupervisorOptions,
  runSupervisor,
  testPeer,
} from '../../../support/processes/running-supervisor.ts';
import { fill } from '../../pool/round-trip.ts';

t.test('the world of a running server is locked for a backup and unlocked after it', async (t) => {
  const { service, home, waitForPhase, waitForLine, lines } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  const mark = home.worldLockMark('test');
  const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
  t.equal(quiesced, true);
  t.equal(service.status().activity, 'backing-up');
  t.ok(existsSync(mark), 'a later supervisor can find the mark');
  t.equal(await service.command('save-off'), 'Saving is already turned off');
  await t.rejects(service.hold('backing-up', testPeer()), { code: 'backup_in_progress' });
  await t.rejects(service.restart(), { code: 'backup_in_progress' });
  service.renew(leaseId);
  await service.release(leaseId);
  t.notOk(existsSync(mark));
  t.equal(service.status().activity, undefined);
  t.equal(await service.command('save-on'), 'Saving is already turned on');
  await waitForLine(/Automatic saving is now enabled/);
  t.match(
    (await lines()).join('\n'),
    /Automatic saving is now disabled.*Saved the game.*Automatic saving is now enabled/s,
  );
});

t.test('a server that hung while a backup began is held still once it goes on', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  const pid = service.status().pid!;
  const untilGivenUp = (command: string) => {
    const { errors } = service.stats().rcon;
    return until(`RCON gives up ${command}`, () => service.stats().rcon.errors > errors);
  };
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => process.kill(pid, 'SIGCONT'));
  await untilGivenUp('the question for the tick time');
  const held = service.hold('backing-up', testPeer());
  await untilGivenUp('"save-off"');
  process.kill(pid, 'SIGCONT');
  t.equal((await held).quiesced, true);
});

t.test('saving is turned on again when the holder disconnects or does not renew', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, { timings: { leaseMs: 100 } });
  await service.start();
  await waitForPhase('running');
  const holder = testPeer();
  await service.hold('backing-up', holder);
  holder.close();
  await until('the folder is free', () => service.status().activity === undefined);
  t.equal(await service.command('save-on'), 'Saving is already turned on');
  await service.hold('backing-up', testPeer());
  await until('the lease has ended', () => service.status().activity === undefined);
  t.equal(await service.command('save-on'), 'Saving is already turned on');
});

t.test('the folder of a stopped server is still, and locking it prevents a start', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  const backup = await service.hold('backing-up', testPeer());
  t.equal(backup.quiesced, true);
  await t.rejects(service.start(), { code: 'backup_in_progress' });
  await service.release(backup.leaseId);
  const restore = await service.hold('restoring', testPeer());
  t.equal(service.status().activity, 'restoring');
  await t.rejects(service.start(), { code: 'already_in_progress' });
  await service.release(restore.leaseId);
  await service.start();
  await waitForPhase('running');
  await t.rejects(service.hold('restoring', testPeer()), { code: 'invalid_state', message: /running/ });
  t.equal(service.status().activity, undefined);
});

t.test('a server that is stopped during a backup cannot be started until its end', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  const { leaseId } = await service.hold('backing-up', testPeer());
  await service.stop();
  await waitForPhase('stopped');
  await t.rejects(service.start(), { code: 'backup_in_progress' });
  await service.release(leaseId);
  await service.start();
});

t.test('a folder with an interrupted restore is locked only to restore it', async (t) => {
  const { service, home, config } = await runSupervisor(t);
  writeFileSync(home.restoreMark(config.id), '{}');
  for (const activity of ['backing-up', 'installing'] as const)
    await t.rejects(service.hold(activity, testPeer()), { code: 'already_in_progress', message: /was interrupted/ });
  await service.release((await service.hold('restoring', testPeer())).leaseId);
  rmSync(home.restoreMark(config.id));
  await service.release((await service.hold('backing-up', testPeer())).leaseId);
});

t.test('a backup that is requested during a start waits until the server is ready', async (t) => {
  const { service } = await runSupervisor(t);
  await service.start();
  const { quiesced } = await service.hold('backing-up', testPeer());
  t.equal(quiesced, true);
  t.equal(service.status().phase, 'running');
});

t.test('a server without save commands is backed up unlocked, and reported as such', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, {
    config: { software: 'custom', launch: { command: ['sh', '-c', 'echo up; read line'] }, readyPattern: 'up' },
  });
  await service.start();
  await waitForPhase('running');
  t.match(await service.hold('backing-up', testPeer()), { quiesced: false });
});

t.test('the mark of a killed supervisor makes the next one turn saving on', async (t) => {
  const first = await runSupervisor(t);
  const mark = first.home.worldLockMark('test');
  writeFileSync(mark, '');
  await first.service.start();
  await first.waitForLine(/An earlier backup was interrupted: turning saving on again\./);
  await until('the mark is gone', () => !existsSync(mark));
});

t.test('a world is not still if its server is stopped, killed or crashes during the backup', async (t) => {
  const { service, home, waitForPhase } = await runSupervisor(t, { config: { crashPolicy: NEVER_AGAIN } });
  const ends = {
    stop: () => service.stop(),
    kill: () => service.kill(),
    'kill -9': async () => process.kill(service.status().pid!, 'SIGKILL'),
  };
  for (const [how, end] of Object.entries(ends)) {
    await service.start();
    await waitForPhase('running');
    const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
    t.equal(quiesced, true, how);
    t.equal(service.renew(leaseId), true);
    await end();
    if (how === 'kill -9') await until('its exit is noticed', () => service.status().pid === undefined);
    t.equal(service.renew(leaseId), false, `${how}: its last writes may be in the archive`);
    await until('it has ended', () => service.status().pid === undefined);
    await service.release(leaseId);
    t.notOk(existsSync(home.worldLockMark('test')), 'the mark is removed: new processes have saving on');
  }
  const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
  t.equal(quiesced, true, 'quiesced while stopped');
  t.equal(service.renew(leaseId), true);
  await service.release(leaseId);
});

t.test('a world that takes too long to save is backed up unconfirmed and unlocked again', async (t) => {
  const { service, home, waitForPhase, waitForLine } = await runSupervisor(t, {
    ...demoWith(t, '--slow-save', '1500'),
    timings: { lockDeadlineMs: 300 },
  });
  await service.start();
  await waitForPhase('running');
  const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
  t.equal(quiesced, false);
  await waitForLine(/did not confirm that the world is saved; the backup continues anyway/);
  await service.release(leaseId);
  t.notOk(existsSync(home.worldLockMark('test')));
  await waitForLine(/Automatic saving is now enabled/);
});

t.test('a holder that disconnects during a slow flush leaves nothing locked', async (t) => {
  const { service, home, lines, waitForPhase } = await runSupervisor(t, demoWith(t, '--slow-save', '1500'));
  await service.start();
  await waitForPhase('running');
  const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
  t.equal(quiesced, true);
  await service.release(leaseId);
  const holder = testPeer();
  const taken = service.hold('backing-up', holder);
  const refused = t.rejects(taken, { code: 'invalid_state' });
  await until('saving is off', () => existsSync(home.worldLockMark('test')));
  holder.close();
  await refused;
  await until('the folder is free', () => service.status().activity === undefined);
  await until('saving is on again', async () => {
    const told = (await lines()).join('\n');
    return told.lastIndexOf('Automatic saving is now enabled') > told.lastIndexOf('Automatic saving is now disabled');
  });
});

t.test('a backup turns saving on even if the operator had turned it off', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  await service.command('save-off');
  const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
  t.equal(quiesced, true);
  await service.release(leaseId);
  t.equal(await service.command('save-on'), 'Saving is already turned on');
});

const NEVER_AGAIN = { restart: 'never', maxRestarts: 0, windowSeconds: 600 } as const;

/** The demo server with flags, as custom software without RCON, so that commands go over the console. */
function demoWith(t: Test, ...flags: string[]): RunningSupervisorOptions {
  const program = path.resolve(import.meta.dirname, '../../../../workers/demo/main.ts');
  const home = homeAt(temporaryFolder(t));
  fill(home.instanceDirectory('test'), { 'server.properties': 'server-ip=127.0.0.1\nserver-port=0\n' });
  return {
    home,
    config: {
      software: 'custom',
      launch: { command: [process.execPath, program, ...flags] },
      readyPattern: '^Done',
      saveCommands: { off: 'save-off', flush: 'save-all flush', on: 'save-on', savedPattern: '^Saved the game$' },
    },
  };
}
