import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import type { SaveCommands } from '../../../../shared/domain/software/definition.ts';
import { createGameCommands, type Rcon } from '../../../../workers/supervisor/game/game-commands.ts';
import { LineFeed } from '../../../../workers/supervisor/game/line-feed.ts';
import { RconError } from '../../../../workers/supervisor/rcon/rcon-error.ts';
import { lockWorld, unlockWorld } from '../../../../workers/supervisor/world/world-lock.ts';

const demo = softwareOf('demo')!;

const P = '[12:00:00] [Server thread/INFO]: ';

interface Fake {
  save?: SaveCommands;
  rcon?: Rcon;
  /** Returns the output of the console after a typed command. */
  prints?: (command: string) => string | undefined;
  deadlineMs?: number;
}

function fake({ save = demo.save, rcon, prints = () => undefined, deadlineMs = 10_000 }: Fake) {
  const events: string[] = [];
  const lines = new LineFeed();
  const exited = Promise.withResolvers<void>();
  const noted: Rcon | undefined = rcon && {
    run(command, options) {
      events.push(`rcon ${command}`);
      return rcon.run(command, options);
    },
  };
  const type = (command: string) => {
    events.push(`type ${command}`);
    const text = prints(command);
    if (text !== undefined) setImmediate(() => lines.push(Buffer.from(`${text}\r\n`)));
  };
  const mark = {
    isSet: async () => false,
    set: async () => void events.push('mark'),
    clear: async () => void events.push('unmark'),
  };
  const game = {
    commands: createGameCommands({ rcon: noted, type, rconMayCome: () => false }),
    lines,
    exited: exited.promise,
  };
  const holder = new AbortController();
  let typed = false;
  const options = {
    save,
    commandFailed: new RegExp(demo.commandFailedPattern ?? ''),
    mark,
    deadlineMs,
    signal: holder.signal,
    report: {
      notice: (text: string) => void events.push(`notice ${text}`),
      typed() {
        typed = true;
      },
    },
  };
  return {
    events,
    lines,
    holder,
    end: exited.resolve,
    lock: () => lockWorld(game, options),
    unlock: () => unlockWorld(game, { ...options, typed }),
  };
}

const vanilla: Rcon = {
  run: async (command) =>
    command === 'save-off'
      ? 'Automatic saving is now disabled'
      : 'Saving the game (this may take a moment!)Saved the game',
};

t.test(
  'over RCON: marked on disk first, off, flushed, confirmed by the answer; then on, and the mark is gone',
  async (t) => {
    const { events, lock, unlock } = fake({ rcon: vanilla });
    t.equal(await lock(), true);
    t.strictSame(events, ['mark', 'rcon save-off', 'rcon save-all flush']);
    await unlock();
    t.strictSame(events.slice(3), ['rcon save-on', 'unmark']);
  },
);

t.test('over the console, the line after the log prefix confirms', async (t) => {
  const { events, lock } = fake({
    prints: (command) => (command === 'save-all flush' ? `${P}Saved the game` : `${P}Automatic saving is now disabled`),
  });
  t.equal(await lock(), true);
  t.strictSame(events, ['mark', 'type save-off', 'type save-all flush']);
});

t.test('chat confirms nothing', async (t) => {
  for (const chat of [`${P}<Eve> Saved the game`, 'Saved the game', `${P}* Eve Saved the game`]) {
    const prints = (command: string) => (command === 'save-off' ? `${P}Automatic saving is now disabled` : chat);
    t.equal(await fake({ prints, deadlineMs: 100 }).lock(), false, chat);
  }
});

t.test('the messages of every version confirm, also as the log shows those over RCON', async (t) => {
  const versions = [
    ['Turned off world auto-saving', 'Saved the world', 'Saving failed: no room'], // 1.7 to 1.12
    ['Automatic saving is now disabled', 'Saved the game', 'Unable to save the game (is there enough disk space?)'],
  ] as const;
  for (const [off, saved, failed] of versions) {
    const answering = (flushed: string): Fake => ({
      rcon: { run: async (command) => (command === 'save-off' ? off : `Saving...${flushed}`) },
    });
    const printing = (flushed: string, shape: (words: string) => string = (words) => words): Fake => ({
      prints: (command) => `${P}${shape(command === 'save-off' ? off : flushed)}`,
    });
    t.equal(await fake(answering(saved)).lock(), true, `RCON: ${saved}`);
    t.equal(await fake(printing(saved)).lock(), true, `console: ${saved}`);
    t.equal(await fake(printing(saved, (words) => `[Rcon: ${words}]`)).lock(), true, `log: ${saved}`);
    t.equal(await fake(answering(failed)).lock(), false, `RCON: ${failed}`);
    t.equal(await fake(printing(failed)).lock(), false, `console: ${failed}`);
  }
});

t.test('saving that was not confirmed as off counts as on', async (t) => {
  const prints = (command: string) => (command === 'save-off' ? `${P}Unknown command` : `${P}Saved the game`);
  const { events, lock } = fake({ prints, deadlineMs: 100 });
  t.equal(await lock(), false);
  t.match(
    events.find((event) => event.startsWith('notice')),
    /did not confirm that automatic saving is off/,
  );
});

t.test('"on" does not overtake an "off" that still waits in the console', async (t) => {
  let ready = false;
  const run: Rcon['run'] = async () => {
    if (ready) return 'Automatic saving is now enabled';
    throw new RconError('refused', 'RCON refused the connection');
  };
  const { events, lock, unlock } = fake({ rcon: { run }, deadlineMs: 50 });
  t.equal(await lock(), false);
  ready = true;
  await unlock();
  t.strictSame(events.slice(-3), ['rcon save-on', 'type save-on', 'unmark']);
});

t.test('a command that RCON took without an answer is not typed as well', async (t) => {
  const run: Rcon['run'] = async () => {
    throw new RconError('timeout', 'no answer');
  };
  const { events, lock } = fake({ rcon: { run }, deadlineMs: 50 });
  t.equal(await lock(), false);
  t.notOk(events.some((event) => event.startsWith('type')));
});

t.test('after an RCON answer without the message, the line confirms', async (t) => {
  const run: Rcon['run'] = async (command) => (command === 'save-off' ? 'Automatic saving is now disabled' : '');
  const { lines, lock } = fake({ rcon: { run } });
  setTimeout(() => lines.push(Buffer.from(`${P}[Rcon: Saved the world]\r\n`)), 20);
  t.equal(await lock(), true);
});

t.test('Bedrock is asked until its data is saved, and saving is always resumed', async (t) => {
  const save = { ...softwareOf('bedrock')!.save, flushAgainMs: 20 };
  const bedrock = '[2026-11-20 08:15:00:123 INFO] ';
  let asked = 0;
  const prints = (command: string) => {
    if (command === 'save hold') return `${bedrock}Saving...`;
    if (command === 'save resume') return `${bedrock}Changes to the world are resumed.`;
    asked += 1;
    return asked < 3
      ? `${bedrock}A previous save has not been completed.`
      : `${bedrock}Data saved. Files are now ready to be copied.\r\nBedrock level/db/CURRENT:16, Bedrock level/level.dat:2209`;
  };
  const { events, lock, unlock } = fake({ save, prints });
  t.equal(await lock(), true);
  t.equal(asked, 3);
  await unlock();
  t.equal(asked, 3, 'not asked again');
  t.same(events.slice(0, 3), ['mark', 'type save hold', 'type save query']);
  t.same(events.slice(-2), ['type save resume', 'unmark']);

  const never = fake({
    save,
    prints: (command) => (command === 'save hold' ? `${bedrock}Saving...` : ''),
    deadlineMs: 200,
  });
  t.equal(await never.lock(), false);
  await never.unlock();
  t.same(never.events.slice(-2), ['type save resume', 'unmark']);
});

t.test('"already turned off" confirms, an unknown command does not', async (t) => {
  const answers = (off: string): Rcon => ({
    run: async (command) => (command === 'save-off' ? off : 'Saved the game'),
  });
  t.equal(await fake({ rcon: answers('Saving is already turned off') }).lock(), true);
  t.equal(await fake({ rcon: answers('Unknown or incomplete command, see below for error') }).lock(), false);
});

t.test('a failed save is not confirmed, and the console reports it', async (t) => {
  const { events, lock } = fake({ rcon: { run: async () => 'Unable to save the game (is there enough disk space?)' } });
  t.equal(await lock(), false);
  t.match(events.at(-1), /did not confirm/);
});

t.test('the deadline, the end of the game and the loss of the holder end the wait', async (t) => {
  const silent: Rcon = { run: (command) => (command === 'save-off' ? Promise.resolve('') : new Promise(() => {})) };
  t.equal(await fake({ rcon: silent, deadlineMs: 30 }).lock(), false);
  const ending = fake({ rcon: silent });
  setTimeout(ending.end, 20);
  t.equal(await ending.lock(), false);
  const losing = fake({ rcon: silent });
  setTimeout(() => losing.holder.abort(), 20);
  t.equal(await losing.lock(), false);
  t.notOk(
    losing.events.some((event) => event.startsWith('notice')),
    'no notice in the console',
  );
});

t.test('without save commands there is no lock and no mark', async (t) => {
  const { events, lock, unlock } = fake({ save: {} });
  t.equal(await lock(), false);
  await unlock();
  t.strictSame(events, ['unmark']);
});

t.test('without a pattern an RCON answer or a quiet console ends the wait, but confirms nothing', async (t) => {
  t.equal(
    await fake({ save: { off: 'off', on: 'on', flush: 'flush' }, rcon: { run: async () => 'whatever' } }).lock(),
    false,
  );
  const begun = performance.now();
  t.equal(await fake({ save: { flush: 'flush' } }).lock(), false);
  t.ok(performance.now() - begun >= 1_900, 'waited until the console was quiet');
});

t.test('saving is not turned off without a command to turn it on again', async (t) => {
  const { events, lock } = fake({
    save: { off: 'off', flush: 'save-all flush', savedPattern: 'Saved' },
    rcon: vanilla,
  });
  t.equal(await lock(), false);
  t.strictSame(events, ['rcon save-all flush']);
});
