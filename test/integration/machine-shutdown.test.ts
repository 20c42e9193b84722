import t from 'tap';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { type GamekeeperOptions, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { fakeSystemctl } from '../support/stand-ins/fake-systemctl.ts';

/** Ignores its stop command and saves on SIGTERM. */
const STUBBORN = 'trap "echo world saved; exit 0" TERM; echo up; while :; do sleep 0.1; done';

t.test('a shutdown of the machine stops the servers within the available time', async (t) => {
  const folder = temporaryFolder(t);
  fakeSystemctl(folder, { system: 'stopping', user: 'running' });
  const env: GamekeeperOptions['env'] = {
    PATH: `${folder}:${process.env.PATH}`,
    GAMEKEEPER_SERVICE: 'systemd',
    GAMEKEEPER_STOP_SECONDS: '8',
  };
  const gamekeeper = await startGamekeeper(t, { env });
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances', {
    name: 'Stubborn',
    software: 'custom',
    launch: { command: ['sh', '-c', STUBBORN] },
    readyPattern: '^up$',
    stopTimeoutSeconds: 600,
  });
  for (const id of ['demo', 'stubborn']) await gamekeeper.api('POST', `/instances/${id}/start`);
  for (const id of ['demo', 'stubborn']) await gamekeeper.waitForStatus(id, 'running');
  await gamekeeper.endDaemon('SIGTERM');
  t.same(processesOf(gamekeeper.home), [], 'no process is left');

  fakeSystemctl(folder, { system: 'running', user: 'running' });
  await gamekeeper.startDaemon();
  const linesOf = async (id: string) =>
    (await gamekeeper.api<LogsResponse>('GET', `/instances/${id}/logs?lines=100`)).body.lines.join('\n');
  t.match(await linesOf('demo'), /sent "stop" over RCON.*has stopped \(exit code 0\)/s);
  t.match(await linesOf('stubborn'), /No time left for a normal stop: sending SIGTERM.*world saved/s);

  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await gamekeeper.endDaemon('SIGTERM');
  t.ok(
    processesOf(gamekeeper.home).some(({ command }) => /workers\/demo/.test(command)),
    'SIGTERM to Gamekeeper alone leaves the servers running',
  );
});
