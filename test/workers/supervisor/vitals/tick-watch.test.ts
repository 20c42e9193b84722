import t, { type Test } from 'tap';
import { ownerPatterns } from '../../../../workers/supervisor/game/owner-patterns.ts';
import { RconError } from '../../../../workers/supervisor/rcon/rcon-error.ts';
import { watchTicks } from '../../../../workers/supervisor/vitals/tick-watch.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const QUESTIONS = [
  { command: 'new', pattern: 'new (?<ms>\\d+)' },
  { command: 'old', pattern: 'old (?<ms>\\d+)' },
];

/** Watches a server whose answers `answer` returns. */
function watched(t: Test, answer: (command: string) => string) {
  const asked: string[] = [];
  const server = { isBusy: false, mayAsk: true };
  const watch = watchTicks({
    questions: QUESTIONS,
    rcon: {
      run: async (command) => {
        asked.push(command);
        return answer(command);
      },
      get isBusy() {
        return server.isBusy;
      },
    },
    mayAsk: () => server.mayAsk,
    everyMs: 2,
    onChange: () => undefined,
  });
  t.teardown(() => watch.stop());
  return { asked, server, watch };
}

t.test('a question that the server does not understand is asked once', async (t) => {
  const { asked, watch } = watched(t, (command) => (command === 'old' ? 'old 7' : 'Unknown command'));
  await until('it has been asked some times', () => asked.length >= 5);
  t.same(asked.slice(0, 4), ['new', 'old', 'old', 'old']);
  t.same(watch.stats, { tickTimeMs: 7, tps: 20 });

  const { asked: inVain, watch: empty } = watched(t, () => 'Unknown command');
  await until('both were asked', () => inVain.length >= 2);
  await until('the other server is still asked', () => asked.length >= 20);
  t.same(inVain, ['new', 'old'], 'never asked again afterwards');
  t.equal(empty.stats, undefined);
});

t.test('a question is not dropped because other patterns have taken too long', async (t) => {
  // On a loaded machine a pattern gets too little of the processor to use up its budget.
  const { threadCpuUsage } = process;
  process.threadCpuUsage = () => ({ user: 400_000, system: 0 });
  ownerPatterns.one(() => /^(?:a|a)*!/.test('a'.repeat(500)));
  process.threadCpuUsage = threadCpuUsage;
  t.ok(ownerPatterns.isSpent);
  const { watch } = watched(t, (command) => (command === 'new' ? 'new 5' : 'Unknown command'));
  await until('there is a value', () => watch.stats);
  t.same(watch.stats, { tickTimeMs: 5, tps: 20 });
});

t.test('a server that stops or is busy with other commands is not asked', async (t) => {
  let length = 1;
  const { asked, server, watch } = watched(t, () => `new ${length}`);
  const clock = watched(t, () => 'new 1').asked;
  await until('there is a value', () => watch.stats);
  for (const quiet of [{ isBusy: true }, { mayAsk: false }]) {
    Object.assign(server, quiet);
    await Promise.resolve();
    const before = asked.length;
    const ticks = clock.length;
    await until('time has passed', () => clock.length > ticks + 10);
    t.equal(asked.length, before, JSON.stringify(quiet));
    t.same(watch.stats, { tickTimeMs: length, tps: 20 }, 'known stats are kept');
    length++;
    Object.assign(server, { isBusy: false, mayAsk: true });
    await until('it is asked again', () => watch.stats?.tickTimeMs === length);
  }
});

t.test('a server that does not answer has no stats, and one that never did is not asked again', async (t) => {
  let fails = false;
  const { asked, watch } = watched(t, () => {
    if (fails) throw new RconError('timeout', 'no answer');
    return 'new 3';
  });
  await until('there is a value', () => watch.stats);
  fails = true;
  await until('the value is gone', () => watch.stats === undefined);
  const before = asked.length;
  await until('the server is still asked', () => asked.length > before + 4);
  fails = false;
  await until('the value is back', () => watch.stats);

  const silent = watched(t, () => {
    throw new RconError('refused', 'nothing listens');
  });
  await until('three questions got no answer', () => silent.asked.length === 3);
  const ticks = asked.length;
  await until('time has passed', () => asked.length > ticks + 30);
  t.equal(silent.asked.length, 3);
});

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
