import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { prepareHome } from '../../../daemon/home/home-directories.ts';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { replaceOutdated } from '../../../daemon/supervisors/replace-outdated.ts';
import { Supervisors } from '../../../daemon/supervisors/supervisors.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { recordProcess } from '../../../shared/node/processes/recorded-process.ts';
import { sendSignal } from '../../../workers/supervisor/process/game-processes.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';
import { processesOf } from '../../support/processes/leftovers.ts';

const SUPERVISOR = path.resolve(import.meta.dirname, '../../../workers/supervisor/main.ts');
/** Longer than the daemon waits for an answer. */
const LONGER_THAN_A_CALL_MS = 2_500;
const GAME = 'stty -echo; echo up; while read line; do eval "$line"; done';

/** A daemon with one running server. `entry` is the program of the supervisors that it starts from now on. */
async function running(t: Test) {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  t.teardown(() => {
    for (const { pid } of processesOf(home.root)) sendSignal(pid, 'SIGKILL');
  });
  const store = openStore(home.database);
  const log = createLogger({ name: 'test', level: 'silent' });
  const registry = createRegistry(store.instances, log);
  const lost: string[] = [];
  const overrides = { entry: SUPERVISOR };
  const policy = { redaction: () => ({ patterns: [], exceptions: [] }), software: () => [] };
  const supervisors = new Supervisors({ home, registry, log, policy, overrides });
  t.teardown(() => {
    supervisors.release();
    store[Symbol.dispose]();
  });
  supervisors.onLost((id) => lost.push(id));
  mkdirSync(home.instanceDirectory('demo'), { recursive: true });
  registry.save(
    instanceConfig({
      ...{ id: 'demo', software: 'custom', port: await freePort(), directory: home.instanceDirectory('demo') },
      ...{ launch: { command: ['bash', '-c', GAME] }, readyPattern: '^up$' },
    }),
  );
  const { client, pid: former } = await supervisors.ensure('demo');
  await client.call.start();
  const runtime = () => registry.get('demo').runtime;
  await until('it runs', () => runtime().phase === 'running');
  return { home, supervisors, registry, overrides, lost, former, game: runtime().pid, runtime };
}

/** Returns whether a supervisor has the pipes of a terminal open. */
function hasTerminal(pid: number): boolean {
  try {
    const open = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
    return open.some((target) => /terminal\.(?:output|input)/.test(target));
  } catch {
    return false; // it has exited, or closed one of them meanwhile
  }
}

/** Writes a program that is started instead of a supervisor. */
function program(home: Home, text: string): string {
  const file = path.join(home.root, 'program.mjs');
  writeFileSync(file, text);
  return file;
}

t.test('a supervisor is replaced while its game runs, and callers meanwhile get the next one', async (t) => {
  const { supervisors, registry, lost, former, game } = await running(t);
  const phases = new Set<string>();
  const over = new AbortController();
  void (async () => {
    for await (const event of registry.watch(over.signal))
      if (event.type === 'changed') phases.add(event.instance.runtime.phase);
  })();
  const replaced = supervisors.replace('demo');
  const links = await Promise.all(Array.from({ length: 50 }, () => supervisors.ensure('demo')));
  await replaced;
  t.same(new Set(links.map(({ pid }) => pid)).size, 1);
  t.not(links[0]?.pid, former);
  t.match(await links[0]?.client.call.status(), { phase: 'running', pid: game });
  t.match(await links[0]?.client.call.command('echo still here'), /still here/);
  over.abort();
  t.same([...phases], ['running'], 'it was never shown in another state');
  t.same(lost, []);
  t.same(supervisors.losses(), []);
});

t.test('a change during the replacement reaches the next supervisor', async (t) => {
  const { supervisors, registry } = await running(t);
  const replaced = supervisors.replace('demo');
  registry.save({ ...registry.get('demo').config, stopCommand: 'echo own; exit 0' });
  await supervisors.configure(registry.get('demo').config);
  await replaced;
  const { client } = await supervisors.ensure('demo');
  await client.call.restart();
  await until('it stopped by its own command', async () =>
    (await client.call.logs({ lines: 100 })).some((line) => line === 'own'),
  );
});

t.test('a supervisor that is needed stays, and works', async (t) => {
  const { supervisors, former, game } = await running(t);
  const { client } = await supervisors.ensure('demo');
  const { leaseId } = await client.call.hold('backing-up');
  t.match(await supervisors.replace('demo'), { code: 'backup_in_progress' });
  t.equal((await supervisors.ensure('demo')).pid, former);
  await client.call.release(leaseId);
  t.equal(await supervisors.replace('demo'), undefined);
  t.match(await (await supervisors.ensure('demo')).client.call.status(), { phase: 'running', pid: game });
});

t.test('if the next supervisor does not serve, the server counts as lost, and another one takes over', async (t) => {
  const { home, supervisors, overrides, lost, game, runtime } = await running(t);
  const record = home.supervisorRecord('demo');
  const unfinished = `${record}.0123456789ab.tmp`;
  overrides.entry = program(
    home,
    `(await import('node:fs')).writeFileSync(${JSON.stringify(unfinished)}, '{'); process.kill(process.pid, 'SIGKILL')`,
  );
  await t.rejects(supervisors.replace('demo'), { code: 'worker_unavailable' });
  t.notOk(existsSync(unfinished), 'what it has left half-written is gone');
  t.same(lost, ['demo']);
  t.equal(runtime().phase, 'crashed');
  overrides.entry = SUPERVISOR;
  const { client } = await supervisors.ensure('demo');
  await until('the game is recovered', async () => (await client.call.status()).pid === game);
});

t.test('a supervisor that is paused while it leaves is replaced all the same', async (t) => {
  const { supervisors, lost, former, game, runtime } = await running(t);
  t.ok(hasTerminal(former));
  const replaced = supervisors.replace('demo');
  await until('it has left the terminal', () => !hasTerminal(former));
  sendSignal(former, 'SIGSTOP');
  setTimeout(() => sendSignal(former, 'SIGCONT'), LONGER_THAN_A_CALL_MS);
  t.equal(await replaced, undefined);
  t.same(lost, []);
  t.match(runtime(), { phase: 'running', pid: game });
});

t.test('a supervisor that is killed while it is told to leave is lost like any other', async (t) => {
  const { supervisors, lost, former, game } = await running(t);
  process.kill(former, 'SIGSTOP');
  const replaced = supervisors.replace('demo');
  process.kill(former, 'SIGKILL');
  await t.rejects(replaced);
  t.same(lost, ['demo']);
  const { client } = await supervisors.ensure('demo');
  await until('the game is recovered', async () => (await client.call.status()).pid === game);
});

const log = createLogger({ name: 'test', level: 'silent' });

/** Replaces supervisors that refuse at first. */
async function replaceAll(
  t: Test,
  {
    entry = SUPERVISOR,
    refusals = {},
    failing = '',
    refusal = 'backup_in_progress',
  }: { entry?: string; refusals?: Record<string, number>; failing?: string; refusal?: ErrorCode },
): Promise<string[]> {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.run, { recursive: true });
  const left = new Set(['one', 'two', 'three']);
  const replaced: string[] = [];
  await replaceOutdated({
    home,
    log,
    signal: AbortSignal.timeout(60_000),
    supervisors: {
      outdated: async () => [...left],
      async replace(id) {
        if (id === failing) throw new GamekeeperError('worker_unavailable', 'It exited.');
        refusals[id] = (refusals[id] ?? 0) - 1;
        if (refusals[id] >= 0) return new GamekeeperError(refusal, 'It stays.');
        left.delete(id);
        replaced.push(id);
        return undefined;
      },
    },
    overrides: { entry, firstPauseMs: 1 },
  });
  return replaced;
}

t.test('those that cannot leave now are asked again', async (t) => {
  t.same(await replaceAll(t, { refusals: { one: 2, two: 1 } }), ['three', 'two', 'one']);
});

t.test('those of versions that cannot leave are asked once', async (t) => {
  t.same(await replaceAll(t, { refusals: { one: Number.POSITIVE_INFINITY }, refusal: 'internal_error' }), [
    'two',
    'three',
  ]);
});

t.test('after one that could not be replaced, the others stay', async (t) => {
  t.same(await replaceAll(t, { failing: 'two' }), ['one']);
});

t.test('nothing is replaced by a program that cannot be loaded', async (t) => {
  const entry = program(homeAt(temporaryFolder(t)), 'import "./missing.mjs";');
  t.same(await replaceAll(t, { entry }), []);
});

t.test('all stay until a running upgrade has ended', async (t) => {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.run, { recursive: true });
  await recordProcess(home.upgradeRecord, process.pid);
  let asked = 0;
  const over = new AbortController();
  const supervisors = {
    async outdated() {
      asked += 1;
      return [];
    },
    replace: async () => undefined,
  };
  const waiting = replaceOutdated({ home, log, supervisors, signal: over.signal });
  t.equal(
    await Promise.race([waiting.then(() => 'done'), new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]),
    'waits',
  );
  t.equal(asked, 0);
  writeFileSync(home.upgradeRecord, JSON.stringify({ pid: process.pid, startTime: '1' }));
  await waiting;
  t.equal(asked, 1, 'a record of a dead process holds nobody up');
});
