import t from 'tap';
import { plainLines } from '../../../../../workers/supervisor/game/ask-game.ts';
import { gameruleIn, refusalIn } from '../../../../../workers/supervisor/world/gamerules/gamerule-answer.ts';

t.test('the value is read from the answers of all versions, whatever their colours', async (t) => {
  for (const [answer, name, value] of [
    ['Gamerule keepInventory is currently set to: false', 'keepInventory', false],
    ['Gamerule keep_inventory is now set to: true', 'keep_inventory', true],
    ['Gamerule minecraft:keep_inventory is now set to: true', 'keep_inventory', true],
    ['Gamerule keep_inventory is now set to: true', 'minecraft:keep_inventory', true],
    ['Gamerule randomTickSpeed is currently set to: -3', 'randomTickSpeed', -3],
    ['§fGamerule §akeepInventory§r is now set to: §etrue§r', 'keepInventory', true],
    ['\x1b[93mGamerule keepInventory is now set to: true\x1b[0m\n', 'keepInventory', true],
    ['Saved the game\nGamerule pvp is now set to: true', 'pvp', true],
    ['Game rule keepInventory has been updated to true', 'keepInventory', true],
    ['keepInventory = false', 'keepInventory', false],
  ] as const)
    t.equal(gameruleIn(plainLines(answer), name), value, answer);
});

t.test('everything else has no value', async (t) => {
  for (const answer of [
    '',
    'Gamerule pvp is currently set to: true',
    'Gamerule keepInventory is now set to: maybe',
    'Gamerule keepInventory is now set to: 2147483648',
    '<Eve> Gamerule keepInventory is now set to: true',
    '[Eve: Gamerule keepInventory is now set to: true]',
    'Die Spielregel keepInventory ist jetzt auf true gesetzt',
    'Incorrect argument for commandgamerule keepInventory<--[HERE]',
    "No game rule called 'keepInventory' is available",
    `Gamerule ${'k'.repeat(100_000)} is now set to: true`,
    '= true',
  ])
    t.equal(gameruleIn(plainLines(answer), 'keepInventory'), undefined, answer.slice(0, 80));
});

t.test('a refusal is the words of the game, without the command that it repeats', async (t) => {
  const refusalOf = (answer: string, command: string) => refusalIn(plainLines(answer), command);
  for (const [answer, command, words] of [
    ['Incorrect argument for commandgamerule keep_inv<--[HERE]', 'gamerule keep_inv', 'Incorrect argument for command'],
    [
      'Integer must not be less than 0, found -5...ick_speed -5<--[HERE]',
      'gamerule random_tick_speed -5',
      'Integer must not be less than 0, found -5',
    ],
    ['Incorrect argument for command\n...rule foo 1<--[HERE]', 'gamerule foo 1', 'Incorrect argument for command'],
    ["No game rule called 'foo' is available", 'gamerule foo 1', "No game rule called 'foo' is available"],
    ['§cNo.\n\n', 'gamerule foo 1', 'No.'],
    ['<--[HERE]', 'gamerule foo 1', ''],
    ['gamerule foo 1<--[HERE]', 'gamerule foo 1', ''],
    ['', 'gamerule foo 1', ''],
  ] as const)
    t.equal(refusalOf(answer, command), words, answer);
});
