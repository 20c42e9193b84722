import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { createGameCommands, type Rcon } from '../../../../workers/supervisor/game/game-commands.ts';
import { stopGame } from '../../../../workers/supervisor/lifecycle/stop-sequence.ts';
import { RconError } from '../../../../workers/supervisor/rcon/rcon-error.ts';

/** A game that records the calls it gets, and ends at the given event. */
function fakeGame({ rcon, endsAt }: { rcon?: Rcon; endsAt: string }) {
  const events: string[] = [];
  const exited = Promise.withResolvers<void>();
  const note = (event: string) => {
    events.push(event);
    if (event === endsAt) exited.resolve();
  };
  const noted: Rcon | undefined = rcon && {
    async run(command, options) {
      const answer = await rcon.run(command, options);
      note(`rcon ${command}`);
      return answer;
    },
  };
  const game = {
    commands: createGameCommands({ rcon: noted, type: (line) => note(`type ${line}`), rconMayCome: () => false }),
    exited: exited.promise,
    interrupt: () => undefined,
    terminate: () => note('SIGTERM'),
    kill: () => note('SIGKILL'),
  };
  const notices: string[] = [];
  const stop = (timeoutMs = 10_000) =>
    stopGame(game, { commands: ['save-all', 'stop'], timeoutMs, graceMs: 30, notice: (text) => notices.push(text) });
  return { events, notices, stop };
}

const answering: Rcon = { run: async () => 'ok' };
const failing = (reason: ConstructorParameters<typeof RconError>[0]): Rcon => ({
  run: () => Promise.reject(new RconError(reason, `RCON is ${reason}`)),
});

t.test('a stop saves and stops over RCON, and the console reports it', async (t) => {
  const { events, notices, stop } = fakeGame({ rcon: answering, endsAt: 'rcon stop' });
  await stop();
  t.strictSame(events, ['rcon save-all', 'rcon stop']);
  await nextTurn(); // the answer arrives together with the end
  t.strictSame(notices, ['Stopping: sent "save-all" over RCON.', 'Stopping: sent "stop" over RCON.']);
});

t.test('the console gets a command at once if RCON does not take it', async (t) => {
  for (const rcon of [
    undefined,
    failing('refused'),
    failing('password-refused'),
    failing('closed-during-login'),
    failing('timeout'),
  ]) {
    const { events, notices, stop } = fakeGame({ ...(rcon && { rcon }), endsAt: 'type stop' });
    const begun = performance.now();
    await stop();
    t.ok(performance.now() - begun < 1_000);
    t.strictSame(events, ['type save-all', 'type stop']);
    t.match(notices[0], /^Stopping: typed "save-all" into the console \(.*RCON/);
  }
});

t.test('a process that ignores the stop gets SIGTERM, then SIGKILL', async (t) => {
  const { events, notices, stop } = fakeGame({ rcon: answering, endsAt: 'SIGKILL' });
  await stop(30);
  t.strictSame(events, ['rcon save-all', 'rcon stop', 'SIGTERM', 'SIGKILL']);
  t.strictSame(notices.slice(2), [
    'Still running after 30 ms: sending SIGTERM. SIGKILL follows in 30 ms.',
    'Still running 30 ms after SIGTERM: sending SIGKILL.',
  ]);
});

t.test('a process that ends at SIGTERM is not killed', async (t) => {
  const { events, stop } = fakeGame({ endsAt: 'SIGTERM' });
  await stop(30);
  t.strictSame(events, ['type save-all', 'type stop', 'SIGTERM']);
});

t.test('RCON that never answers does not delay SIGTERM', async (t) => {
  const { events, stop } = fakeGame({ rcon: { run: () => new Promise(() => {}) }, endsAt: 'SIGTERM' });
  await stop(30);
  t.strictSame(events, ['SIGTERM']);
});
