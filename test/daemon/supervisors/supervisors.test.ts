import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { prepareHome } from '../../../daemon/home/home-directories.ts';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { Supervisors } from '../../../daemon/supervisors/supervisors.ts';
import type { Intent } from '../../../shared/domain/instance/intent.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { readIntent, writeIntent } from '../../../shared/node/processes/intent-record.ts';
import { identifyProcess } from '../../../shared/node/processes/process-identity.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';
import { processesOf } from '../../support/processes/leftovers.ts';

const RECORDED = path.join(import.meta.dirname, '../../fixtures/supervisor-of-protocol.ts');
const STAND_IN = path.join(import.meta.dirname, '../../fixtures/stand-in-supervisor.ts');

/** A home whose supervisors are killed after the test. */
async function newHome(t: Test) {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  t.teardown(() => {
    for (const { pid } of processesOf(home.root)) process.kill(pid, 'SIGKILL');
  });
  return home;
}

/** The supervisors of a daemon. `leave` ends the daemon without its servers. */
function daemonOf(home: ReturnType<typeof homeAt>, heartbeatMs = 60_000) {
  const store = openStore(home.database);
  const log = createLogger({ name: 'test', level: 'silent' });
  const registry = createRegistry(store.instances, log);
  const said: string[] = [];
  log.warn = (_details: unknown, words?: unknown) => void said.push(String(words));
  const lost: string[] = [];
  let patterns: string[] = [];
  const supervisors = new Supervisors({
    home,
    registry,
    log,
    policy: { redaction: () => ({ patterns, exceptions: [] }), software: () => [] },
    overrides: { entry: STAND_IN, retireWithinMs: 1_500, heartbeatMs },
  });
  supervisors.onLost((id) => lost.push(id));
  return {
    registry,
    supervisors,
    lost,
    /** The warnings so far. */
    said,
    redactBy(...next: string[]) {
      patterns = next;
      return supervisors.sendRedaction();
    },
    phase: (id: string) => registry.get(id).runtime.phase,
    leave() {
      supervisors.close();
      supervisors.release();
      store[Symbol.dispose]();
    },
  };
}

t.test('a supervisor that hangs does not hold up the end and is not killed', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save({ ...instanceConfig({ id: 'demo' }), stopTimeoutSeconds: 1 });
  const supervisor = await daemon.supervisors.ensure('demo');
  // It is connected, so from now on only the process hangs.
  await supervisor.client.call.command('');
  const { pid } = processesOf(home.root)[0]!;
  process.kill(pid, 'SIGSTOP');
  await t.rejects(daemon.supervisors.retire('demo'), { code: 'worker_unavailable', message: /did not answer in time/ });
  t.same(
    processesOf(home.root).map((left) => left.pid),
    [pid],
  );
});

t.test(
  'a supervisor that hangs is shown as unresponsive, holds up nothing, and catches up when it continues',
  async (t) => {
    const home = await newHome(t);
    const daemon = daemonOf(home, 500);
    t.teardown(daemon.leave);
    for (const id of ['hangs', 'works']) daemon.registry.save(instanceConfig({ id }));
    const hanging = await daemon.supervisors.ensure('hangs');
    await hanging.client.call.start();
    await until('it runs', () => daemon.phase('hangs') === 'running');
    process.kill(hanging.pid, 'SIGSTOP');
    const changed = instanceConfig({ id: 'hangs', port: 4243 });
    daemon.registry.save(changed);
    const begun = performance.now();
    await daemon.supervisors.configure(changed);
    t.ok(performance.now() - begun < 5_000, 'a change does not wait for it');
    await until('it is noticed', () => daemon.registry.get('hangs').runtime.degraded === 'unresponsive');
    t.equal(daemon.phase('hangs'), 'running', 'shows the last known phase');
    await t.rejects(hanging.client.call.command('', { timeoutMs: 100 }), { code: 'worker_unavailable', status: 503 });
    const works = await daemon.supervisors.ensure('works');
    t.match(await works.client.call.command('', { timeoutMs: 10_000 }), 'works');
    t.notOk('degraded' in daemon.registry.get('works').runtime);

    const next = daemonOf(home);
    await next.supervisors.reattachAll();
    t.match(next.registry.get('hangs').runtime, { degraded: 'unresponsive' }, 'a new daemon detects that it hangs');
    next.leave();

    const last = instanceConfig({ id: 'hangs', port: 4244 });
    daemon.registry.save(last);
    await daemon.supervisors.configure(last);

    process.kill(hanging.pid, 'SIGCONT');
    await until('it is no longer degraded', () => !('degraded' in daemon.registry.get('hangs').runtime));
    await until('it has the last change', async () => {
      return JSON.parse(await hanging.client.call.command('')).port === 4244;
    });
    t.equal(daemon.phase('hangs'), 'running');
    t.same(daemon.lost, []);
  },
);

t.test('a supervisor that pauses while the next daemon starts gets its settings when it continues', async (t) => {
  const home = await newHome(t);
  const first = daemonOf(home);
  first.registry.save(instanceConfig({ id: 'demo' }));
  const { pid } = await first.supervisors.ensure('demo');
  first.leave();

  // It continues before a heartbeat can miss it.
  const second = daemonOf(home);
  t.teardown(second.leave);
  second.registry.save(instanceConfig({ id: 'demo', port: 4242 }));
  await second.redactBy('new');
  process.kill(pid, 'SIGSTOP');
  await second.supervisors.reattachAll();
  t.match(second.registry.get('demo').runtime, { degraded: 'unresponsive' });
  process.kill(pid, 'SIGCONT');
  const { client } = await second.supervisors.ensure('demo');
  await until(
    'it redacts as the settings say',
    async () => (JSON.parse(await client.call.command('redaction')) as { patterns: string[] }).patterns[0] === 'new',
  );
  t.match(JSON.parse(await client.call.command('')), { port: 4242 });
  await until('it is no longer degraded', () => !('degraded' in second.registry.get('demo').runtime));
});

t.test('a supervisor that hangs for good is killed and counts as lost', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home, 50);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const { pid, client } = await daemon.supervisors.ensure('demo');
  await client.call.start();
  await until('it runs', () => daemon.phase('demo') === 'running');
  process.kill(pid, 'SIGSTOP');
  await until('it is lost', () => daemon.lost.length > 0);
  t.same(daemon.lost, ['demo']);
  t.same(processesOf(home.root), []);
});

for (const [what, runtime, intent] of [
  ['waits for its restart after a crash', { phase: 'crashed', javaProgram: null }, 'running'],
  ['starts', { phase: 'starting' }, 'running'],
  ['stops', { phase: 'stopping' }, 'stopped'],
] as const)
  t.test(`a supervisor of an earlier version that dies while its server ${what} counts as lost`, async (t) => {
    const home = await newHome(t);
    const daemon = daemonOf(home);
    t.teardown(daemon.leave);
    daemon.registry.save(instanceConfig({ id: 'demo' }));
    const { pid, client } = await daemon.supervisors.ensure('demo');
    await client.call.sendLine(JSON.stringify(runtime));
    await until('it is in that phase', () => daemon.phase('demo') === runtime.phase);
    process.kill(pid, 'SIGKILL');
    await until('it is lost', () => daemon.lost.length > 0);
    t.equal(await readIntent(home.intentRecord('demo')), intent, 'for the next supervisor');
  });

for (const [intent, phase, isLost] of [
  ['stopped', 'running', false],
  ['restarting', 'stopping', true],
  ['asleep', 'running', true],
  ['running', 'stopped', true],
] satisfies [Intent, string, boolean][])
  t.test(`a supervisor that has recorded "${intent}" counts for that, although ${phase} was seen last`, async (t) => {
    const home = await newHome(t);
    const daemon = daemonOf(home);
    t.teardown(daemon.leave);
    daemon.registry.save(instanceConfig({ id: 'demo' }));
    const { pid, client } = await daemon.supervisors.ensure('demo');
    await client.call.sendLine(JSON.stringify({ phase }));
    await until('it is in that phase', () => daemon.phase('demo') === phase);
    writeIntent(home.intentRecord('demo'), intent);
    process.kill(pid, 'SIGKILL');
    await until('its end is noticed', () => daemon.registry.get('demo').socket === null);
    t.same(daemon.lost, isLost ? ['demo'] : []);
    t.equal(daemon.phase('demo'), isLost && intent !== 'asleep' ? 'crashed' : 'stopped');
    t.equal(await readIntent(home.intentRecord('demo')), isLost ? intent : undefined);
  });

t.test('a supervisor that dies before it has recovered a running game counts as lost', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const { pid } = await daemon.supervisors.ensure('demo');
  const game = await identifyProcess(process.pid);
  await writeFile(home.gameRecord('demo'), JSON.stringify(game));
  process.kill(pid, 'SIGKILL');
  await until('it is lost', () => daemon.lost.length > 0);
  t.same(daemon.lost, ['demo']);
});

t.test('a dead supervisor does not count as lost while its game cannot be checked', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const { pid, client } = await daemon.supervisors.ensure('demo');
  await client.call.start();
  await until('it runs', () => daemon.phase('demo') === 'running');
  // ELOOP stands in for EMFILE.
  const record = home.gameRecord('demo');
  await symlink(path.basename(record), record);
  process.kill(pid, 'SIGKILL');
  await until('an attempt to check has failed', () =>
    daemon.said.some((words) => /could not check whether a game runs without its supervisor/.test(words)),
  );
  t.same(daemon.lost, []);
  await rm(record);
  await until('it is lost', () => daemon.lost.length > 0);
});

/** Runs the recorded supervisor of an older or newer daemon. */
async function recordedSupervisor(
  t: Test,
  home: ReturnType<typeof homeAt>,
  ...args: [protocol: string, phase: string]
) {
  const child = spawn(process.execPath, [RECORDED, home.root, 'demo', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

t.test('the daemon reattaches to a supervisor of the former protocol and speaks that protocol', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo', port: 4242 }));
  const old = await recordedSupervisor(t, home, '1', 'running');
  t.same(await daemon.supervisors.reattachAll(), ['demo']);
  t.match(daemon.registry.get('demo').runtime, { phase: 'running', playersOnline: 3 });
  const { client, pid } = await daemon.supervisors.ensure('demo');
  t.equal(pid, old.pid);
  t.match(JSON.parse(await client.call.command('')), [{ path: 'watch' }, { path: 'configure', input: { port: 4242 } }]);
  await daemon.supervisors.retire('demo', { withinMs: 5_000 });
  t.equal(await daemon.supervisors.find('demo'), undefined);
  t.same(daemon.lost, []);
});

t.test('an idle supervisor of the former protocol is replaced', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const old = await recordedSupervisor(t, home, '1', 'stopped');
  await daemon.supervisors.reattachAll();
  if (old.exitCode === null) await once(old, 'exit');
  t.not((await daemon.supervisors.ensure('demo')).pid, old.pid);
});

for (const [age, protocol] of [
  ['newer', '6'],
  ['much older', '0'],
] as const)
  t.test(`a supervisor of a ${age} version is left alone, and said`, async (t) => {
    const home = await newHome(t);
    const daemon = daemonOf(home);
    t.teardown(daemon.leave);
    daemon.registry.save(instanceConfig({ id: 'demo', stopTimeoutSeconds: 1 }));
    const other = await recordedSupervisor(t, home, protocol, 'running');
    const { startTime } = JSON.parse(await readFile(home.supervisorRecord('demo'), 'utf8'));
    await writeFile(home.gameRecord('demo'), JSON.stringify({ pid: other.pid, startTime, startedAt: 1 }));
    t.same(await daemon.supervisors.reattachAll(), ['demo']);
    t.match(daemon.registry.get('demo').runtime, { phase: 'running', degraded: 'incompatible', pid: other.pid });
    const { client } = await daemon.supervisors.ensure('demo');
    const refused = { code: 'worker_unavailable', message: new RegExp(age), resolution: new RegExp(String(other.pid)) };
    await t.rejects(client.call.start(), refused);
    await t.rejects(daemon.supervisors.retire('demo'), refused);
    t.equal(other.exitCode, null);
    t.same(daemon.lost, []);
    other.kill('SIGKILL');
    await until('its exit is noticed', () => daemon.lost.length > 0);
  });

t.test('callers at the same time share one supervisor, and its state is shown', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const [first, second] = await Promise.all([daemon.supervisors.ensure('demo'), daemon.supervisors.ensure('demo')]);
  t.equal(first, second);
  t.equal(processesOf(home.root).length, 1);
  t.equal(daemon.registry.get('demo').socket, home.supervisorSocket('demo'));
  t.match(
    JSON.parse(await first.client.call.command('')),
    { id: 'demo', port: 25_565 },
    'it has the configuration of its instance',
  );

  await first.client.call.start();
  await until('the start is reported', () => daemon.phase('demo') === 'running');
  await daemon.supervisors.retire('demo');
  await until('the exit is noticed', () => daemon.registry.get('demo').socket === null);
  t.equal(daemon.phase('demo'), 'stopped');
  t.same(daemon.lost, [], 'a retired supervisor is not lost');
  t.same(processesOf(home.root), []);
});

t.test('the next daemon reattaches to running supervisors and sends their new configuration', async (t) => {
  const home = await newHome(t);
  const first = daemonOf(home);
  for (const id of ['one', 'two', 'three']) first.registry.save(instanceConfig({ id }));
  const link = await first.supervisors.ensure('one');
  await link.client.call.start();
  await first.supervisors.ensure('two');
  first.leave();

  const store = openStore(home.database);
  store.instances.save(instanceConfig({ id: 'one', port: 4242 }));
  store[Symbol.dispose]();
  const second = daemonOf(home);
  t.teardown(second.leave);
  await second.redactBy('new');
  t.same(await second.supervisors.reattachAll(), ['one', 'two']);
  t.same(['one', 'two', 'three'].map(second.phase), ['running', 'stopped', 'stopped']);
  const reattached = await second.supervisors.ensure('one');
  t.equal(reattached.pid, link.pid, 'no second one was started');
  t.match(JSON.parse(await reattached.client.call.command('')), { port: 4242 });
  t.same(JSON.parse(await reattached.client.call.command('redaction')), { patterns: ['new'], exceptions: [] });

  await reattached.client.call.sendLine(JSON.stringify({ phase: 'running', playersOnline: 7 }));
  await until('changes are followed', () => second.registry.get('one').runtime.playersOnline === 7);
});

t.test('all supervisors, even one that is starting, get changed redaction settings', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  for (const id of ['one', 'two']) daemon.registry.save(instanceConfig({ id }));
  const one = await daemon.supervisors.ensure('one');
  const starting = daemon.supervisors.ensure('two');
  await daemon.redactBy('secret');
  for (const link of [one, await starting])
    t.same(JSON.parse(await link.client.call.command('redaction')), { patterns: ['secret'], exceptions: [] });
});

t.test('a supervisor that dies under its game is noticed at once, and a new one can be started', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const link = await daemon.supervisors.ensure('demo');
  await link.client.call.start();
  await until('it runs', () => daemon.phase('demo') === 'running');
  process.kill(link.pid, 'SIGKILL');
  await until('it is lost', () => daemon.lost.length > 0);
  t.same(daemon.lost, ['demo']);
  t.match(daemon.registry.get('demo'), {
    socket: null,
    runtime: { phase: 'crashed', crash: { reason: /supervises/, exitCode: null } },
  });
  const next = await daemon.supervisors.ensure('demo');
  t.not(next.pid, link.pid);
  t.match(daemon.registry.get('demo').runtime.crash, { reason: /supervises/ }, 'the last crash is kept');
  await next.client.call.sendLine(JSON.stringify({ phase: 'running' }));
  await until('it is recovered', () => daemon.phase('demo') === 'running');
  t.equal(daemon.registry.get('demo').runtime.crash, undefined, 'the game went on');
});

t.test('a supervisor that dies while its server sleeps is lost without a crash', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const link = await daemon.supervisors.ensure('demo');
  await link.client.call.sleep();
  await until('its sleep is reported', () => daemon.phase('demo') === 'sleeping');
  t.ok(daemon.registry.ran('demo'), 'it counts as running for autoResume');
  process.kill(link.pid, 'SIGKILL');
  await until('its exit is noticed', () => daemon.lost.length > 0);
  t.same(daemon.lost, ['demo']);
  t.equal(await readIntent(home.intentRecord('demo')), 'asleep');
  t.equal(daemon.phase('demo'), 'stopped');
  t.notOk(daemon.registry.get('demo').runtime.crash);
});

t.test('a supervisor that dies while its server is stopped is not lost', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  const link = await daemon.supervisors.ensure('demo');
  process.kill(link.pid, 'SIGKILL');
  while (await link.isAlive());
  const next = await daemon.supervisors.ensure('demo');
  t.not(next.pid, link.pid, 'a caller gets a new supervisor even before the exit is noticed');
  t.same(daemon.lost, []);
  t.equal(daemon.phase('demo'), 'stopped');
});

t.test('the last crash survives supervisor and daemon', async (t) => {
  const home = await newHome(t);
  const first = daemonOf(home);
  first.registry.save(instanceConfig({ id: 'demo' }));
  const crash = { at: '2026-11-20T08:00:00.000Z', exitCode: 7, signal: null, reason: 'it fell', restarts: 1 };
  const link = await first.supervisors.ensure('demo');
  await link.client.call.sendLine(JSON.stringify({ phase: 'crashed', crash }));
  await until('the crash is reported', () => first.phase('demo') === 'crashed');
  await link.client.call.retire();
  await until('the supervisor is gone', () => first.registry.get('demo').socket === null);
  first.leave();
  const second = daemonOf(home);
  t.same(second.registry.get('demo').runtime, { phase: 'crashed', crash }, 'the crash is shown until the next start');
  const next = await second.supervisors.ensure('demo');
  t.same(await next.client.call.status(), { phase: 'crashed', crash }, 'the next supervisor reports it too');
  await next.client.call.sendLine(JSON.stringify({ phase: 'stopped', crash }));
  await until('it was started and stopped', () => second.phase('demo') === 'stopped');
  await next.client.call.retire();
  await until('the supervisor is gone', () => second.registry.get('demo').socket === null);
  second.leave();
  const third = daemonOf(home);
  t.teardown(third.leave);
  t.equal(third.phase('demo'), 'stopped');
});

t.test('a record with a reused pid and an invalid record count for nothing, and stay', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  const socket = home.supervisorSocket('demo');
  for (const record of [JSON.stringify({ pid: process.pid, startTime: '1', socket, protocol: 1 }), 'garbage']) {
    daemon.registry.save(instanceConfig({ id: 'demo' }));
    await writeFile(home.supervisorRecord('demo'), record);
    t.same(await daemon.supervisors.reattachAll(), []);
    t.ok(existsSync(home.supervisorRecord('demo')), 'the next supervisor may be writing its own');
  }
});

t.test('the failure that a supervisor reports is thrown, and the next call tries again', async (t) => {
  const home = await newHome(t);
  const daemon = daemonOf(home);
  t.teardown(daemon.leave);
  daemon.registry.save(instanceConfig({ id: 'demo', name: 'cannot start' }));
  await t.rejects(daemon.supervisors.ensure('demo'), { code: 'launch_failed', message: 'It will not.' });
  t.same(daemon.supervisors.ids(), []);
  daemon.registry.save(instanceConfig({ id: 'demo' }));
  await daemon.supervisors.ensure('demo');
  t.match(await readFile(home.supervisorRecord('demo'), 'utf8'), /"protocol":5/);
});
