import t from 'tap';
import { createGameCommands } from '../../../../workers/supervisor/game/game-commands.ts';
import { RconError, type RconFailure } from '../../../../workers/supervisor/rcon/rcon-error.ts';

function commandsWith(reason: RconFailure) {
  const typed: string[] = [];
  const rcon = { run: () => Promise.reject(new RconError(reason, `RCON ${reason}`)) };
  return { typed, commands: createGameCommands({ rcon, type: (line) => typed.push(line), rconMayCome: () => false }) };
}

t.test('a command goes over RCON if the server has it', async (t) => {
  const typed: string[] = [];
  const commands = createGameCommands({
    rcon: { run: async (command) => `did ${command}` },
    type: (line) => typed.push(line),
    rconMayCome: () => false,
  });
  t.strictSame(await commands.send('list', { timeoutMs: 1 }), { via: 'rcon', answer: 'did list' });
  t.strictSame(typed, []);
});

t.test('a command that RCON did not take is typed into the console', async (t) => {
  for (const reason of ['refused', 'password-refused', 'closed-during-login', 'login-timeout', 'not-tried'] as const) {
    const { typed, commands } = commandsWith(reason);
    t.strictSame(await commands.send('list', { timeoutMs: 1 }), { via: 'console', because: `RCON ${reason}` });
    t.strictSame(typed, ['list']);
  }
});

t.test('a command that may have run is repeated only if that is safe', async (t) => {
  for (const reason of ['timeout', 'closed'] as const) {
    const { typed, commands } = commandsWith(reason);
    await t.rejects(commands.send('give Anna apple', { timeoutMs: 1 }), {
      code: 'rcon_unavailable',
      message: `RCON ${reason}.`,
    });
    t.strictSame(typed, []);
    t.match(await commands.insist('save-on', { timeoutMs: 1 }), { via: 'console' });
    t.strictSame(typed, ['save-on']);
  }
});

t.test('send waits for RCON that is about to open, insist does not', async (t) => {
  const typed: string[] = [];
  let attempts = 0;
  const rcon = {
    run: async () => {
      attempts += 1;
      if (attempts < 3) throw new RconError('refused', 'RCON refused');
      return 'there';
    },
  };
  const commands = createGameCommands({ rcon, type: (line) => typed.push(line), rconMayCome: () => true });
  t.match(await commands.insist('stop', { timeoutMs: 1 }), { via: 'console' });
  t.strictSame(await commands.send('list', { timeoutMs: 1 }), { via: 'rcon', answer: 'there' });
  t.strictSame(typed, ['stop']);
});

t.test('a command is not typed into a console that RCON replaces', async (t) => {
  const typed: string[] = [];
  const rcon = { run: () => Promise.reject(new RconError('refused', 'RCON refused')) };
  const type = (line: string) => typed.push(line);
  const commands = createGameCommands({ rcon, type, replacesConsole: true, rconMayCome: () => false });
  for (const deliver of [commands.send, commands.insist])
    await t.rejects(deliver('quit', { timeoutMs: 1 }), { code: 'rcon_unavailable', message: 'RCON refused.' });
  rcon.run = () => Promise.reject(new RconError('closed', 'RCON closed'));
  await t.rejects(commands.send('quit', { timeoutMs: 1 }), { code: 'rcon_unavailable' });
  t.strictSame(await commands.insist('quit', { timeoutMs: 1 }), { via: 'rcon', answer: '' }, 'it has ended meanwhile');
  t.strictSame(typed, []);
});
