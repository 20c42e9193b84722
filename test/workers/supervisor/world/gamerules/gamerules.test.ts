import t, { type Test } from 'tap';
import { SOFTWARE, setCustomSoftware } from '../../../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../../../shared/domain/software/definition.ts';
import { extendDefinition } from '../../../../../shared/domain/software/extend-definition.ts';
import { freePort } from '../../../../support/machine/free-port.ts';
import { runSupervisor } from '../../../../support/processes/running-supervisor.ts';

async function demoWithRcon(t: Test) {
  const rcon = { port: await freePort(), password: 'correct horse battery' };
  const running = await runSupervisor(t, { config: { rcon, version: '1.20.4' } });
  await running.service.start();
  await running.waitForPhase('running');
  return running;
}

t.test('a running server reports its game rules, and takes new values at once', async (t) => {
  const { service } = await demoWithRcon(t);
  const rules = await service.gamerules();
  t.match(
    rules.find(({ name }) => name === 'keepInventory'),
    { key: 'keep_inventory', known: true, type: 'boolean', value: false, description: /items/ },
  );
  t.match(
    rules.find(({ name }) => name === 'randomTickSpeed'),
    { type: 'integer', value: 3, minimum: 0 },
  );
  t.same(
    rules.filter(({ name }) => name === 'pvp' || name.includes('_')),
    [],
    'what this version does not know is left out',
  );
  t.match(await service.setGamerules({ keepInventory: true, randomTickSpeed: 7, fallDamage: false }), [
    { name: 'keepInventory', value: true },
    { name: 'randomTickSpeed', value: 7 },
    { name: 'fallDamage', key: 'fallDamage', known: false, type: 'boolean', value: false },
  ]);
  t.equal(await service.command('gamerule keepInventory'), 'Gamerule keepInventory is currently set to: true');
});

t.test('a refusal has the words of the game, and those before it are set', async (t) => {
  const { service, lines } = await demoWithRcon(t);
  await t.rejects(service.setGamerules({ keepInventory: true, keep_inventory: true, mobGriefing: false }), {
    code: 'command_rejected',
    message: 'keep_inventory: Incorrect argument for command',
  });
  const values = Object.fromEntries((await service.gamerules()).map(({ name, value }) => [name, value]));
  t.match(values, { keepInventory: true, mobGriefing: true });
  await t.rejects(service.setGamerules({ keepInventory: 3 }), {
    message: "keepInventory: Invalid boolean, expected 'true' or 'false' but found '3'",
  });
  await t.rejects(service.setGamerules({ 'keepInventory true\nop Mallory': true }), { code: 'invalid_request' });
  t.notMatch((await lines()).join('\n'), 'Mallory', 'nothing was sent');
});

t.test('those who ask at the same time or soon afterwards share one answer, until a rule is set', async (t) => {
  const { service, waitForPhase } = await demoWithRcon(t);
  const [one, other] = await Promise.all([service.gamerules(), service.gamerules()]);
  t.equal(one, other);
  await service.command('gamerule keepInventory true');
  t.equal(await service.gamerules(), one);
  await service.setGamerules({ mobGriefing: false });
  const values = Object.fromEntries((await service.gamerules()).map(({ name, value }) => [name, value]));
  t.match(values, { keepInventory: true, mobGriefing: false });
  await service.command('gamerule keepInventory false');
  await service.stop();
  await waitForPhase('stopped');
  await service.start();
  await waitForPhase('running');
  t.match(await service.gamerules(), [{ name: 'keepInventory', value: false }], 'another game process is asked again');
});

t.test('a rule is never set to a number that would stall the server', async (t) => {
  const { service, lines } = await demoWithRcon(t);
  t.match(
    (await service.gamerules()).find(({ name }) => name === 'randomTickSpeed'),
    { maximum: 1_000 },
  );
  for (const name of ['randomTickSpeed', 'random_tick_speed', 'minecraft:random_tick_speed'])
    await t.rejects(service.setGamerules({ keepInventory: true, [name]: 1_001 }), {
      code: 'invalid_request',
      message: `${name} must be a whole number from 0 to 1000.`,
    });
  await t.rejects(service.setGamerules({ randomTickSpeed: -1 }), { code: 'invalid_request' });
  t.notMatch((await lines()).join('\n'), /is now set to/, 'nothing was set');
  t.match(await service.setGamerules({ randomTickSpeed: 1_000 }), [{ value: 1_000 }]);
});

t.test('a server that hangs does not answer', async (t) => {
  const { service } = await demoWithRcon(t);
  service.sendLine('demo hang');
  await t.rejects(service.setGamerules({ keepInventory: true }), { code: 'rcon_unavailable' });
});

t.test('a stopped server has no game rules to show, and other software never', async (t) => {
  const { service } = await runSupervisor(t);
  const stopped = { code: 'invalid_state', message: /^The server is stopped\./, resolution: 'Start the server first.' };
  await t.rejects(service.gamerules(), stopped);
  await t.rejects(service.setGamerules({ keepInventory: true }), stopped);
  for (const software of ['velocity', 'bedrock']) {
    const other = await runSupervisor(t, { config: { software } });
    await t.rejects(other.service.gamerules(), { code: 'invalid_request', message: /has no game rules\.$/ }, software);
  }
});

/** Answers in the words of 1.21.11, except that a player writes what looks like the value of PvP. Its Nether is turned off. */
const CONSOLE = `
prefix='[12:00:00] [Server thread/INFO]:'
echo "$prefix up"
while read line; do
  case $line in
    join) echo "$prefix Anna joined the game" ;;
    'gamerule keep_inventory') echo "$prefix Gamerule keep_inventory is currently set to: false" ;;
    'gamerule pvp') echo "$prefix <Anna> Gamerule pvp is currently set to: true" ;;
    'execute in minecraft:the_nether run '*) echo "$prefix Unknown dimension 'minecraft:the_nether'" ;;
    *'gamerule keep_inventory true') echo "$prefix Gamerule keep_inventory is now set to: true" ;;
    *) echo "$prefix Incorrect argument for command"; echo "$prefix $line<--[HERE]" ;;
  esac
done`;

const OTHER_WORLDS = extendDefinition(
  { kind: 'mine', extends: 'custom', gamerules: { otherWorlds: ['minecraft:the_nether', 'minecraft:the_end'] } },
  SOFTWARE,
) as SoftwareDefinition;

t.test('without RCON, the console of a program that is Minecraft is asked, for each of its worlds', async (t) => {
  setCustomSoftware([OTHER_WORLDS]);
  t.teardown(() => setCustomSoftware([]));
  const running = await runSupervisor(t, {
    config: { software: 'mine', version: '1.21.11', launch: { command: ['sh', '-c', CONSOLE] }, readyPattern: '^up$' },
  });
  const { service, lines, waitForPhase, waitForLine } = running;
  await service.start();
  await waitForPhase('running');
  await t.rejects(service.gamerules(), { code: 'invalid_state', message: /has not shown that it is a Minecraft/ });
  t.notMatch((await lines()).join('\n'), 'gamerule', 'nothing was typed');
  service.sendLine('join');
  await waitForLine(/Anna joined/);
  t.match(await service.setGamerules({ keep_inventory: true }), [{ name: 'keep_inventory', value: true }]);
  const typed = (await lines()).filter((line) => /^(?:gamerule|execute)/.test(line));
  t.same(typed, [
    'gamerule keep_inventory true',
    'execute in minecraft:the_nether run gamerule keep_inventory true',
    'execute in minecraft:the_end run gamerule keep_inventory true',
  ]);
  await t.rejects(service.setGamerules({ pvp: true }), { message: 'pvp: Incorrect argument for command' });
  t.same(
    (await service.gamerules()).map(({ name, value }) => [name, value]),
    [['keep_inventory', false]],
    'chat is no answer',
  );
});

/** Answers in the words of 1.12, of which no command has "run". It has two rules. */
const OLD_CONSOLE = `
prefix='[12:00:00] [Server thread/INFO]:'
echo "$prefix up"
while read line; do
  case $line in
    join) echo "$prefix Anna joined the game" ;;
    'gamerule keepInventory') echo "$prefix keepInventory = false" ;;
    'gamerule mobGriefing') echo "$prefix mobGriefing = true" ;;
    'gamerule mobGriefing false') echo "$prefix Game rule mobGriefing has been updated to false" ;;
    *) echo "$prefix Unknown command" ;;
  esac
done`;

async function oldConsole(t: Test, version: string) {
  setCustomSoftware([OTHER_WORLDS]);
  t.teardown(() => setCustomSoftware([]));
  const running = await runSupervisor(t, {
    config: { software: 'mine', version, launch: { command: ['sh', '-c', OLD_CONSOLE] }, readyPattern: '^up$' },
  });
  await running.service.start();
  await running.waitForPhase('running');
  running.service.sendLine('join');
  await running.waitForLine(/Anna joined/);
  const typed = async () => (await running.lines()).filter((line) => /^(?:gamerule|execute)/.test(line));
  return { ...running, typed };
}

t.test('before 1.13, a change is for the first world, because "execute in" does not exist', async (t) => {
  const { service, typed } = await oldConsole(t, '1.12.2');
  t.match(await service.setGamerules({ mobGriefing: false }), [{ name: 'mobGriefing', value: false }]);
  t.same(await typed(), ['gamerule mobGriefing false']);
});

t.test('a game of an unknown version is asked in one style, once it has answered', async (t) => {
  const { service, typed } = await oldConsole(t, 'custom');
  t.same(
    (await service.gamerules()).map(({ name }) => name),
    ['keepInventory', 'mobGriefing'],
  );
  const [current, former, ...others] = await typed();
  t.same([current, former], ['gamerule keep_inventory', 'gamerule keepInventory']);
  t.ok(others.length > 15);
  t.same(
    others.filter((line) => line.includes('_')),
    [],
  );
});
