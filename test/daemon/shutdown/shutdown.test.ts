import t, { type Test } from 'tap';
import { type ServiceManager, serviceManager } from '../../../daemon/shutdown/service-manager.ts';
import { createShutdown, obeySignals } from '../../../daemon/shutdown/shutdown.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { fakeSystemctl } from '../../support/stand-ins/fake-systemctl.ts';

function listening(t: Test, manager?: ServiceManager) {
  const printed: string[] = [];
  let time = 0;
  const shutdown = createShutdown((line) => printed.push(line));
  t.teardown(obeySignals(shutdown, { print: (line) => printed.push(line), now: () => time, manager }));
  return {
    shutdown,
    printed,
    receive(signal: NodeJS.Signals, afterMs = 0) {
      time += afterMs;
      process.emit(signal);
    },
  };
}

t.test('Ctrl-C also stops the servers, and another one within a second is the same Ctrl-C', async (t) => {
  const { shutdown, printed, receive } = listening(t);
  receive('SIGINT');
  receive('SIGINT', 1);
  receive('SIGINT', 900);
  await shutdown.requested;
  t.equal(shutdown.withServers, true);
  t.equal(shutdown.hurried.aborted, false);
  t.match(printed, [/Ctrl-C again/]);
  receive('SIGINT', 200);
  t.equal(shutdown.hurried.aborted, true, 'a second one, later, leaves the servers running');
  t.equal(printed.length, 1);
});

t.test('SIGTERM and SIGHUP leave the servers running', async (t) => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const { shutdown, receive } = listening(t);
    receive(signal);
    await shutdown.requested;
    t.equal(shutdown.withServers, false, signal);
  }
});

t.test(
  'SIGTERM of a service manager stops the servers within its time if the machine shuts down, and otherwise leaves them',
  async (t) => {
    for (const ending of [true, false]) {
      const { shutdown, receive } = listening(t, { stopWithinMs: 5_000, isEverythingEnding: async () => ending });
      receive('SIGTERM', 100);
      await shutdown.requested;
      t.equal(shutdown.withServers, ending);
      t.equal(shutdown.deadline, ending ? 5_100 : undefined);
    }
  },
);

t.test('the environment names the service manager, and systemd is asked whether it shuts down', async (t) => {
  t.equal(serviceManager({}), undefined);
  t.equal(serviceManager({ GAMEKEEPER_SERVICE: 'launchd' })?.stopWithinMs, 85_000);
  t.equal(serviceManager({ GAMEKEEPER_SERVICE: 'launchd', GAMEKEEPER_STOP_SECONDS: '8' })?.stopWithinMs, 6_000);
  t.equal(await serviceManager({ GAMEKEEPER_SERVICE: 'launchd' })?.isEverythingEnding(), true);
  const { PATH } = process.env;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  const folder = temporaryFolder(t);
  process.env.PATH = `${folder}:${PATH}`;
  const systemd = serviceManager({ GAMEKEEPER_SERVICE: 'systemd' });
  for (const [system, user, expected] of [
    ['running', 'stopping', true],
    ['stopping', 'running', true],
    ['degraded', 'running', false],
    ['', '', false],
  ] as const) {
    fakeSystemctl(folder, { system, user });
    t.equal(await systemd?.isEverythingEnding(), expected, `${system} ${user}`);
  }
});

t.test('SIGTERM during a graceful stop ends the waiting', async (t) => {
  const { shutdown, receive } = listening(t);
  receive('SIGINT');
  receive('SIGTERM');
  t.equal(shutdown.withServers, true);
  t.equal(shutdown.hurried.aborted, true);
});

t.test('a follower of the shutdown gets every line until its end', async (t) => {
  const { shutdown, printed } = listening(t);
  shutdown.say('before');
  const lines = shutdown.lines(new AbortController().signal);
  shutdown.begin({ withServers: false });
  shutdown.begin({ withServers: true });
  t.equal(shutdown.withServers, false, 'the first request counts');
  shutdown.say('one');
  shutdown.say('two');
  shutdown.end();
  const heard: string[] = [];
  for await (const line of lines) heard.push(line);
  t.same(heard, ['one', 'two']);
  t.same(printed, ['before', 'one', 'two']);
});
