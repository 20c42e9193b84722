import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const vanilla = { software: 'vanilla', eulaAccepted: true } as const;

t.test('a start that needs software is accepted and shows its progress', async (t) => {
  const { service, phases, config, waitForPhase, waitForLine } = await runSupervisor(t, {
    config: vanilla,
    upstream: {
      async *provision() {
        yield { progress: 'Downloading Java 21.' };
        await sleep(20);
        // Any program that exists.
        yield { done: { java: '/bin/false', start: ['-jar', 'server.jar'] } };
      },
    },
  });
  await service.start();
  t.match(service.status(), { phase: 'provisioning', activity: 'installing' });
  await waitForPhase('crashed');
  t.strictSame(phases, ['stopped', 'provisioning', 'starting', 'crashed']);
  await waitForLine(/\[gamekeeper\] Downloading Java 21\./);
  t.match(readFileSync(join(config.directory, 'eula.txt'), 'utf8'), /^eula=true$/m);
});

t.test('a failed installation is a failed start without a crash report', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, {
    config: vanilla,
    upstream: {
      provision: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () =>
            Promise.reject(
              new GamekeeperError('insufficient_storage', 'Java needs 200 MiB; 3 MiB are free in /home/steve/server.'),
            ),
        }),
      }),
    },
  });
  await service.start();
  await waitForPhase('crashed');
  t.match(service.status().crash, {
    exitCode: null,
    signal: null,
    reason: /^Java needs 200 MiB; 3 MiB are free in \/home\/\[user\]\/server\./,
    failedStart: { code: 'insufficient_storage' },
  });
  t.same(await service.crashes(), []);
});

t.test('a stop cancels the installation and its result is ignored', async (t) => {
  const finish = Promise.withResolvers<void>();
  let aborted = false;
  const { service, phases, config } = await runSupervisor(t, {
    config: vanilla,
    upstream: {
      async *provision(signal) {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        await finish.promise;
        yield { done: { java: '/bin/false', start: ['-jar', 'server.jar'] } };
      },
    },
  });
  await service.start();
  await service.stop();
  t.equal(service.status().phase, 'stopped');
  t.ok(aborted);
  finish.resolve();
  await sleep(50);
  t.strictSame(phases, ['stopped', 'provisioning', 'stopped']);
  t.ok(existsSync(config.directory));
});

t.test('a port that was taken during the installation prevents the launch', async (t) => {
  const taken = createServer();
  t.teardown(() => taken.close());
  const { service, phases, config, waitForPhase } = await runSupervisor(t, {
    config: vanilla,
    upstream: {
      async *provision() {
        await once(taken.listen(config.port), 'listening');
        yield { done: { java: '/bin/false', start: ['-jar', 'server.jar'] } };
      },
    },
  });
  await service.start();
  await waitForPhase('crashed');
  t.match(service.status().crash?.reason, /port.*in use/);
  t.strictSame(phases, ['stopped', 'provisioning', 'crashed']);
});

t.test('kill calls it off as well', async (t) => {
  const { service } = await runSupervisor(t, {
    config: vanilla,
    upstream: {
      async *provision(signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield { done: {} };
      },
    },
  });
  await service.start();
  await service.kill();
  t.equal(service.status().phase, 'stopped');
});

t.test('a start that fails to spawn leaves no record', async (t) => {
  const { service, home } = await runSupervisor(t, {
    config: { software: 'custom', directory: temporaryFolder(t), launch: { command: ['no-such-thing'] } },
  });
  await t.rejects(service.start(), { code: 'launch_failed' });
  t.notOk(existsSync(home.gameRecord('test')));
});
