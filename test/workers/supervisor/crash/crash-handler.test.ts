import { once } from 'node:events';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import type { CrashPolicy } from '../../../../shared/schema/instance.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const ONCE_MORE: CrashPolicy = { restart: 'on-failure', maxRestarts: 2, windowSeconds: 600 };

/** A custom program written as a shell script. */
const script = (text: string, change: object = {}) => ({
  config: { software: 'custom', launch: { command: ['sh', '-c', text] }, readyPattern: 'up', ...change },
});

t.test('a process that exits at once has crashed, with its exit code and last lines', async (t) => {
  const { service, waitForPhase, lines } = await runSupervisor(t, script('echo "no space for me"; exit 7'));
  await service.start();
  await waitForPhase('crashed');
  t.match(service.status().crash, {
    exitCode: 7,
    signal: null,
    reason: 'Exited before it was ready, with exit code 7.',
    restarts: 0,
  });
  t.notOk('pid' in service.status());
  t.match(
    (await lines()).join('\n'),
    /no space for me.*\[gamekeeper\] The server has crashed: Exited before it was ready/s,
  );
});

t.test('exit code 0 is a crash before the server is ready, and a normal end after that', async (t) => {
  const early = await runSupervisor(t, script('exit 0'));
  await early.service.start();
  await early.waitForPhase('crashed');
  const late = await runSupervisor(t, script('echo up; sleep 0.2'));
  await late.service.start();
  await late.waitForPhase('running');
  await late.waitForPhase('stopped');
  t.equal(late.service.status().crash, undefined);
});

t.test('a crash is followed by restarts until the policy gives up', async (t) => {
  const { service, phases, waitForLine } = await runSupervisor(
    t,
    script('echo up; sleep 0.1; exit 1', { crashPolicy: ONCE_MORE }),
  );
  await service.start();
  await waitForLine(/has crashed: Exited with exit code 1\.$/);
  t.equal(phases.filter((phase) => phase === 'running').length, 3);
  t.equal(service.status().phase, 'crashed');
  t.match(service.status().crash, { exitCode: 1, restarts: 2 });
});

t.test('each crash has the output of its own run only', async (t) => {
  const { service, waitForLine } = await runSupervisor(
    t,
    script('echo "the only line"; exit 1', { crashPolicy: ONCE_MORE }),
  );
  await service.start();
  await waitForLine(/has crashed: Exited before it was ready, with exit code 1\.$/);
  const crashes = await service.crashes();
  t.equal(crashes.length, 3);
  for (const { lines } of crashes) t.same(lines, ['the only line']);
});

t.test('a failed restart is reported and counts like a crash', async (t) => {
  const crashPolicy: CrashPolicy = { ...ONCE_MORE, maxRestarts: 4 };
  const server = await runSupervisor(t, script('echo up; read line; exit 1', { crashPolicy }));
  await server.service.start();
  await server.waitForPhase('running');
  const other = createServer().listen(server.config.port, '127.0.0.1');
  await once(other, 'listening');
  server.service.sendLine('end');
  await server.waitForLine(/could not be started: .*in use/);
  await server.waitForLine(/Restart 3 of 4/);
  t.match(server.service.status(), { phase: 'crashed', crash: { reason: /in use/, failedStart: {} } });
  other.close();
  await once(other, 'close');
  await until('it runs again', () => server.service.status().phase === 'running');
  t.match(server.service.status().crash, { exitCode: 1, failedStart: undefined }, 'the last crash is shown again');

  server.service.sendLine('end');
  await server.waitForLine(/Restart 4 of 4/);
});

/** A server that runs in its folder, until it crashes when it gets a line. */
async function crashing(t: Test, command: readonly string[], crash: string) {
  const server = await runSupervisor(t, { config: script('', { launch: { command }, crashPolicy: ONCE_MORE }).config });
  mkdirSync(server.config.directory, { recursive: true });
  const put = (name: string) =>
    writeFileSync(join(server.config.directory, name), `#!/bin/sh\necho up; read line; ${crash}; exit 1`, {
      mode: 0o755,
    });
  return { ...server, put };
}

t.test('a restart without the program or its jar fails once, and says what to do', async (t) => {
  const program = await crashing(t, ['./server'], 'rm server');
  program.put('server');
  const java = await crashing(t, ['./java', '-Xmx1G', '-jar', 'server.jar'], 'rm server.jar');
  java.put('java');
  java.put('server.jar');
  for (const [server, reason] of [
    [program, /^\.\/server does not exist .*Check the instance's launch command/],
    [java, /^Its server\.jar is missing\. Put it back as \/.*\/server\.jar, or correct the launch command/],
  ] as const) {
    await server.service.start();
    await server.waitForPhase('running');
    server.service.sendLine('end');
    await server.waitForLine(/could not be started/);
    const stays = { phase: 'crashed', crash: { reason, failedStart: { code: 'launch_failed' } } };
    await until('it is given up', () => server.service.status().javaProgram === undefined);
    t.match(server.service.status(), stays);
    t.notMatch((await server.lines()).join('\n'), /Restart 2 of/);
  }
  await t.rejects(java.service.start(), { code: 'launch_failed', message: 'Its server.jar is missing.' });
});

t.test('restarts that a full disk refuses do not count against the policy', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const records = dirname(home.gameRecord('test'));
  if (!mounted(t, records, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs')) return;
  const crashPolicy: CrashPolicy = { ...ONCE_MORE, maxRestarts: 1 };
  const server = await runSupervisor(t, { ...script('echo up; read line; exit 1', { crashPolicy }), home });
  await server.service.start();
  await server.waitForPhase('running');
  const filler = join(records, 'filler');
  fill(filler);
  server.service.sendLine('crash');
  await until('three restarts are refused', async () => {
    const refused = (await server.lines()).filter((line) => /could not be started: The disk .* is full/.test(line));
    return refused.length >= 3;
  });
  rmSync(filler);
  await until('it is restarted', () => server.service.status().phase === 'running');
});

/** Writes until there is no space. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4096));
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC')) throw error;
  }
}

t.test('a requested start resets the count of restarts', async (t) => {
  const { service, phases, waitForLine } = await runSupervisor(
    t,
    script('echo up; sleep 0.1; exit 1', { crashPolicy: { ...ONCE_MORE, maxRestarts: 1 } }),
  );
  await service.start();
  await waitForLine(/has crashed: .* 1\.$/);
  await service.start();
  await waitForLine(/Restart 1 of 1/);
  t.ok(phases.length > 5);
});

t.test('a requested restart resets the count of restarts', async (t) => {
  const { service, waitForLine, lines } = await runSupervisor(
    t,
    script('echo up; sleep 0.1; exit 1', { crashPolicy: { ...ONCE_MORE, maxRestarts: 1 } }),
  );
  await service.start();
  await waitForLine(/has crashed: .* 1\.$/);
  await service.restart();
  await until(
    'the count begins again',
    async () => (await lines()).filter((line) => /Restart 1 of 1/.test(line)).length > 1,
  );
});

t.test('the output of an earlier run does not explain a crash', async (t) => {
  const { service, waitForPhase } = await runSupervisor(
    t,
    script('test -e again && exit 3; touch again; echo java.lang.OutOfMemoryError: Java heap space; exit 1'),
  );
  await service.start();
  await waitForPhase('crashed');
  t.match(service.status().crash?.reason, /Java ran out of memory/);
  await service.start();
  await until('the second run has ended', () => service.status().crash?.exitCode === 3);
  t.equal(service.status().crash?.reason, 'Exited before it was ready, with exit code 3.');
});

t.test('a stop cancels a pending restart', async (t) => {
  const { service, phases, waitForLine } = await runSupervisor(t, {
    config: {
      ...script('').config,
      launch: { command: ['sh', '-c', 'exit 1'] },
      crashPolicy: { ...ONCE_MORE, maxRestarts: 100 },
    },
  });
  await service.start();
  await waitForLine(/Restart 3 of 100/);
  await service.stop();
  t.equal(service.status().phase, 'stopped');
  await new Promise((resolve) => setTimeout(resolve, 300)); // three times the longest wait
  t.strictSame(phases.slice(-2), ['crashed', 'stopped']);
});

t.test('a crash of the demo server is shown with its exit code', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  await service.command('demo crash').catch(() => undefined); // it may exit before it answers
  await waitForPhase('crashed');
  t.match(service.status().crash?.reason, /exit code/);
});

t.test('a kill by another program is a crash', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  process.kill(service.status().pid ?? 0, 'SIGKILL');
  await waitForPhase('crashed');
  t.match(service.status().crash, { exitCode: null, signal: 'SIGKILL', reason: /Killed by another program/ });
});

t.test('an impossible start is refused with the reason, which the state shows until the next start', async (t) => {
  const missing = await runSupervisor(t, { config: { software: 'custom', launch: { command: ['./no-such-server'] } } });
  await t.rejects(missing.service.start(), { code: 'launch_failed', message: /\.\/no-such-server does not exist/ });
  await missing.waitForPhase('crashed');
  t.match(missing.service.status().crash, { reason: /no-such-server/, failedStart: { code: 'launch_failed' } });
  const { at } = missing.service.status().crash!;
  await t.rejects(missing.service.start());
  t.not(missing.service.status().crash?.at, at, 'the next failure is shown in its place');
  t.same(await missing.service.crashes(), [], 'it is no crash');
  const folder = await runSupervisor(t, {
    config: { directory: join(missing.config.directory, 'gone'), managed: false },
  });
  await t.rejects(folder.service.start(), { code: 'launch_failed', message: /gone does not exist/ });
});

t.test('the error about a port in use names the program that has it', async (t) => {
  const first = await runSupervisor(t);
  await first.service.start();
  await first.waitForPhase('running');
  const second = await runSupervisor(t, { config: { id: 'second', port: first.config.port } });
  await t.rejects(second.service.start(), {
    code: 'port_in_use',
    message: new RegExp(`The port ${first.config.port} is in use by \\S+ \\(process ${first.service.status().pid}\\)`),
  });
});

t.test('a start without an accepted EULA is refused', async (t) => {
  const refused = await runSupervisor(t, { config: { software: 'vanilla' } });
  await t.rejects(refused.service.start(), { code: 'eula_not_accepted' });
  await refused.waitForPhase('crashed');
  t.match(refused.service.status().crash, { failedStart: { code: 'eula_not_accepted' } });
});
