/** Must show of an upgrade under load: every process of Gamekeeper is another one, three kinds of games have noticed nothing, and nor have viewers. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import { connectSupervisor, type SupervisorClient } from '../../shared/node/ipc/connect.ts';
import { watchConsole } from '../chaos/checks/console-watcher.ts';
import { checkCounted } from '../chaos/checks/counted-lines.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { otherVersion } from '../support/processes/other-version.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const COUNTING = pathToFileURL(join(FIXTURES, 'counting-game.ts')).href;
const COUNT_EVERY_MS = '10';
const JAVA = ['java', '-Xmx64M', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', 'MiniServer.java', '0', 'unused'];
/** Of each game, after everything was replaced. */
const LINES_AFTER = 50;
/** Printed at once while everything is replaced. */
const FLOOD = 'demo flood 200000';
const IDS = ['demo', 'java', 'native'];
const OURS = /\/main\.js/;

t.test('an upgrade replaces every process of ours, and no game notices', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const folder = otherVersion(t, '99.0.0');
  // Viewers come back to the same address.
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_PORT: String(await freePort()) } });
  const { api, cli, home } = gamekeeper;
  const readyPattern = String.raw`Done \(`;
  const games = {
    Demo: { software: 'demo', env: { NODE_OPTIONS: `--import=${COUNTING}` } },
    Java: { software: 'custom', launch: { command: [...JAVA, COUNT_EVERY_MS] }, readyPattern },
    Native: { software: 'custom', launch: { command: ['bash', join(FIXTURES, 'native-game.sh')] }, readyPattern },
  };
  for (const [name, game] of Object.entries(games))
    t.equal((await api('POST', '/instances', { name, port: await freePort(), ...game })).status, 201);
  copyFileSync(join(FIXTURES, 'MiniServer.java'), join(home, 'instances/java/MiniServer.java'));
  for (const id of IDS) await api('POST', `/instances/${id}/start`);
  for (const id of IDS) await gamekeeper.waitForStatus(id, 'running');
  await api('POST', '/instances/demo/commands', { command: 'demo join Eve 203.0.113.7' });

  const ask = async <T>(id: string, question: (call: SupervisorClient['call']) => Promise<T>): Promise<T> => {
    const client = connectSupervisor(id, homeAt(home).supervisorSocket(id));
    return question(client.call).finally(() => client.close());
  };
  const read = (id: string) => ask(id, (call) => call.status());
  const ours = () =>
    processesOf(home).flatMap(({ pid, command }) =>
      OURS.test(command) && !/workers\/demo/.test(command) ? [pid] : [],
    );
  await until('Eve is online', async () => (await read('demo')).players?.includes('Eve'));
  // Starts the process of the jobs.
  t.equal((await api('POST', '/instances/native/backup')).status, 200);
  const token = await gamekeeper.token();
  const { panel } = gamekeeper.addresses();
  const viewers = IDS.map((id) => watchConsole(`${panel.replace(/^http/, 'ws')}/ws/instances/${id}/console`, token));
  t.teardown(() => Promise.all(viewers.map((viewer) => viewer.stop())));
  await until('all viewers are shown something', () => viewers.every(({ texts }) => texts.length > 0));
  await api('POST', '/instances/demo/commands', { command: FLOOD });
  const before = { ours: ours(), games: await Promise.all(IDS.map(async (id) => (await read(id)).pid)) };

  t.match(await cli('upgrade', folder), { code: 0, stdout: /^99\.0\.0 is running/ });
  await until('every process of ours is another one', () => ours().every((pid) => !before.ours.includes(pid)), {
    describe: () => processesOf(home),
  });
  for (const [index, id] of IDS.entries()) {
    // Its supervisor may still be taking over.
    const instance = await until(`${id} is under control`, () => read(id).catch(() => undefined));
    t.match(instance, { phase: 'running', pid: before.games[index] }, id);
    t.notOk('degraded' in instance, id);
    t.notOk('crash' in instance, id);
    const viewer = viewers[index]!;
    const { lines: soFar } = checkCounted(viewer.texts);
    const counted = await until(`${id} has printed more`, () => {
      const now = checkCounted(viewer.texts);
      return now.lines > soFar + LINES_AFTER && now;
    });
    t.match(counted, { runs: 1, faults: [] }, `${id}: ${counted.lines} lines`);
    t.same(viewer.faults, [], `${id}: no line was skipped`);
    t.ok(viewer.connections > 1, 'the gateway was another one');
  }
  t.ok(viewers[0]!.texts.length > 200_000, 'the flood has arrived');
  t.match((await read('demo')).players, ['Eve'], 'she is still online');
  t.match(await cli('exec', 'native', 'hello'), { code: 0, stdout: /unknown command: hello/ });
  t.match(await cli('down', '--with-servers'), { code: 0 });
});
