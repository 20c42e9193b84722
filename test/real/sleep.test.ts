import t from 'tap';
import { pingServer } from '../../shared/node/list-ping/ping-server.ts';
import { until } from '../support/machine/until.ts';
import { runSupervisor } from '../support/processes/running-supervisor.ts';
import { joinPlayer } from './player.ts';

/** 0.1 s in minutes. */
const SOON = 0.1 / 60;

t.test('a real client that joins wakes a sleeping server and is told to join again', async (t) => {
  const { config, service, phases, waitForPhase } = await runSupervisor(t, {
    timings: { pingEveryMs: 40 },
    config: { sleepWhenEmptyMinutes: SOON, name: 'Survival' },
  });
  await service.start();
  const runs = () => phases.filter((phase) => phase === 'running').length;
  for (const version of ['1.8.8', '1.20.4']) {
    await waitForPhase('sleeping');
    await until('the sleeping server answers', () => answers(config.port));
    const before = runs();
    const player = joinPlayer({ port: config.port, name: 'Steve', version });
    t.match(await player.kicked, 'Survival is starting. Join again in a minute.', version);
    await player.left;
    await until('the server runs', () => runs() > before);
  }
});

/** The port is opened after the phase has changed. */
async function answers(port: number): Promise<boolean> {
  const ping = pingServer({ host: '127.0.0.1', port, timeoutMs: 1_000 });
  return ping.then(
    () => true,
    () => false,
  );
}
