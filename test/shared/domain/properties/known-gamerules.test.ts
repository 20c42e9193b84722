import t from 'tap';
import {
  GAMERULES,
  isNumber,
  knownGamerule,
  limitProblem,
  namesIn,
} from '../../../../shared/domain/properties/known-gamerules.ts';

const namesOf = (version: string) => GAMERULES.flatMap((rule) => namesIn(rule, version));

t.test('the known game rules are complete, and their names are single words', async (t) => {
  const names = GAMERULES.flatMap(({ name, before }) => (before === undefined ? [name] : [name, before]));
  t.same(names, [...new Set(names)], 'unique');
  for (const name of names) t.match(name, /^[A-Za-z_]+$/);
  for (const { name, before, since, until, description } of GAMERULES) {
    t.match(description, /^[A-Z][^\n]{5,200}\.$/, `${name} has a description`);
    for (const version of [since, until ?? since]) t.match(version, /^\d+(\.\d+)+$/);
    if (until === undefined) t.match(name, /^[a-z_]+$/, 'current names are of lower case');
    if (before !== undefined) t.match(before, /^[a-z][A-Za-z]+$/);
  }
});

t.test('a version has exactly its game rules, under its own names', async (t) => {
  t.same(namesOf('1.6.4'), [
    ...['keepInventory', 'naturalRegeneration', 'doMobSpawning', 'mobGriefing', 'doDaylightCycle', 'doFireTick'],
  ]);
  t.notOk(namesOf('1.16.5').includes('playersSleepingPercentage'));
  t.ok(namesOf('1.17').includes('playersSleepingPercentage'));
  t.notOk(namesOf('1.21.8').includes('pvp'), 'a property until then');
  const before = namesOf('1.21.10');
  for (const name of ['pvp', 'spawnMonsters', 'allowEnteringNetherUsingPortals', 'commandBlocksEnabled', 'doFireTick'])
    t.ok(before.includes(name), name);
  t.same(
    before.filter((name) => name.includes('_')),
    [],
  );
  for (const version of ['1.21.11', '26.1']) {
    const current = namesOf(version);
    for (const name of ['pvp', 'keep_inventory', 'command_blocks_work', 'fire_spread_radius_around_player'])
      t.ok(current.includes(name), name);
    t.same(
      current.filter((name) => /[A-Z]/.test(name)),
      [],
      version,
    );
  }
});

t.test('a version without a place in the order may have either name', async (t) => {
  for (const version of ['custom', '25w44a']) {
    t.same(namesIn(knownGamerule('keepInventory')!, version), ['keep_inventory', 'keepInventory']);
    t.same(namesIn(knownGamerule('pvp')!, version), ['pvp']);
    t.same(namesIn(knownGamerule('doFireTick')!, version), ['doFireTick']);
    for (const [style, names] of [
      ['current', ['keep_inventory', 'pvp', 'fire_spread_radius_around_player']],
      ['former', ['keepInventory', 'pvp', 'doFireTick']],
    ] as const)
      t.same(
        ['keepInventory', 'pvp', 'doFireTick', 'fire_spread_radius_around_player'].flatMap((name) =>
          namesIn(knownGamerule(name)!, version, style),
        ),
        names,
        `${version}, ${style}`,
      );
  }
});

t.test('a game rule is found by each of its names', async (t) => {
  t.equal(knownGamerule('respawn_radius'), knownGamerule('spawnRadius'));
  t.equal(knownGamerule('respawn_radius'), knownGamerule('minecraft:respawn_radius'));
  for (const name of ['ofAMod', 'toString', '']) t.equal(knownGamerule(name), undefined);
});

t.test('numbers have limits, and values beyond them are named', async (t) => {
  for (const { name, minimum, maximum } of GAMERULES.filter(isNumber)) {
    t.ok(maximum! > minimum!, name);
    t.equal(limitProblem(name, minimum!), undefined);
    t.equal(limitProblem(name, maximum!), undefined);
    t.equal(limitProblem(name, maximum! + 1), `must be a whole number from ${minimum} to ${maximum}`);
    t.ok(limitProblem(name, minimum! - 1));
  }
  t.equal(GAMERULES.filter(isNumber).length, GAMERULES.filter(({ maximum }) => maximum !== undefined).length);
  for (const [name, value] of [
    ['ofAMod', 2 ** 31 - 1],
    ['pvp', 3],
    ['random_tick_speed', true],
  ] as const)
    t.equal(limitProblem(name, value), undefined, `the game decides on ${name}`);
});
