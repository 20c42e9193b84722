/** Whatever ends a server, it has as long as its stop timeout to save after SIGTERM. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';
import {
  killSupervisor,
  killTerminal,
  spawnSupervisor,
  startGame,
} from '../../../support/processes/spawned-supervisor.ts';

/** Longer than the ten seconds that every server had before SIGKILL. */
const SAVE_SECONDS = 12;

/** A server that saves on SIGTERM only, for `seconds`, and gives up at a second SIGTERM. */
const savesFor = (seconds: number) =>
  `trap "trap : TERM; sleep ${seconds} && echo yes > saved; exit" TERM; echo up; while :; do sleep 0.05; done`;

t.test(
  'a server that loses supervisor and terminal, and saves for longer than ten seconds, is not killed meanwhile',
  { skip: process.platform === 'win32' && 'a server ends with its console there' },
  async (t) => {
    const home = homeAt(temporaryFolder(t));
    const folder = home.instanceDirectory('test');
    await mkdir(folder, { recursive: true });
    const config = { launch: { command: ['sh', '-c', savesFor(SAVE_SECONDS)] }, stopTimeoutSeconds: 60 };
    const first = await spawnSupervisor(t, { home, config });
    const pid = await startGame(first);
    await killSupervisor(first);
    killTerminal(home);
    t.ok(process.kill(pid, 0), 'the loss of its terminal does not end it');
    const next = await spawnSupervisor(t, { home, config });
    const { call } = next.client;
    const lines = () => call.logs({ lines: 100 });
    await until('it was told to end', async () => /sending SIGTERM to process/.test((await lines()).join('\n')));
    await t.rejects(call.start(), { code: 'already_in_progress' }, 'no second one is started beside it');
    await until('it has ended', async () => /Ended a server process/.test((await lines()).join('\n')), {
      deadlineMs: 60_000,
      describe: lines,
    });
    t.equal(readFileSync(path.join(folder, 'saved'), 'utf8'), 'yes\n');
    await call.start();
  },
);

t.test('a kill ends what is left of a lost supervisor at once', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const folder = home.instanceDirectory('test');
  await mkdir(folder, { recursive: true });
  const config = { launch: { command: ['sh', '-c', savesFor(3_000)] }, stopTimeoutSeconds: 3_600 };
  const first = await spawnSupervisor(t, { home, config });
  await startGame(first);
  await killSupervisor(first);
  killTerminal(home);
  const { call } = (await spawnSupervisor(t, { home, config })).client;
  const lines = async () => (await call.logs({ lines: 100 })).join('\n');
  await until('it was told to end', async () => /sending SIGTERM to process/.test(await lines()));
  await call.kill();
  await until('it is gone', async () => /Sending SIGKILL to process.*Ended a server process/s.test(await lines()));
  await call.start();
});

t.test('a server behind a start script goes on saving when SIGTERM has ended the script', async (t) => {
  const server = await runSupervisor(t, {
    config: {
      software: 'custom',
      // The shell ends at once, which used to hang up on its child.
      launch: { command: ['sh', '-c', `sh -c '${savesFor(1)}'; exit 0`] },
      readyPattern: '^up$',
      stopTimeoutSeconds: 1,
    },
    timings: { stopGraceMs: () => 20_000 },
  });
  await server.service.start();
  await server.waitForPhase('running');
  await server.service.stop();
  await server.waitForPhase('stopped');
  t.ok(existsSync(path.join(server.config.directory, 'saved')));
  const lines = (await server.lines()).join('\n');
  t.match(lines, /sending SIGTERM\. SIGKILL follows in 20 s/);
  t.notMatch(lines, /Sending SIGKILL/);
});
