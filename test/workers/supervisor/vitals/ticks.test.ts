import t from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

t.test(
  'a server that runs is asked over RCON how long its ticks take, and its console shows nothing of it',
  async (t) => {
    const rcon = { port: await freePort(), password: 'correct horse battery' };
    const { service, waitForPhase, lines } = await runSupervisor(t, {
      timings: { ticksEveryMs: 20 },
      config: { rcon },
    });
    await service.start();
    await waitForPhase('running');
    const idle = await until('there is a value', () => {
      const { tickTimeMs, tps } = service.status();
      return tickTimeMs !== undefined && { tickTimeMs, tps };
    });
    t.ok(idle.tickTimeMs < 50, `${idle.tickTimeMs} ms`);
    t.equal(idle.tps, 20);

    await service.command('demo lag 80');
    const slow = await until('the server is reported as slow', () => {
      const { tickTimeMs = 0, tps } = service.status();
      return tickTimeMs >= 80 && { tps };
    });
    t.ok((slow.tps ?? 20) <= 12.5, `${slow.tps} per second`);

    const asked = () => service.stats().rcon.latency.counts.reduce((sum, count) => sum + count);
    const before = asked();
    await until('more questions were asked', () => asked() > before + 5);
    const console = (await lines()).join('\n');
    t.notMatch(console, /tick (?:rate|query)|per tick/);
    t.equal(console.match(/Thread RCON Client \S+ started/g)?.length, 1, 'only the one connection is logged');

    await service.stop();
    t.equal(service.status().tickTimeMs, undefined, 'no value while the server is stopped');
    t.equal(service.status().tps, undefined);
  },
);
