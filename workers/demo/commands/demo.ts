import { isIP } from 'node:net';
import { printException } from '../console/vanilla-lines.ts';
import type { Command, CommandCall } from './command.ts';

/** Not in vanilla: simulated players and faults. */
export const demoCommand: Command = {
  name: 'demo',
  usages: [
    'demo answer <characters> [<text>]',
    'demo chat <name> <message>',
    'demo crash',
    'demo error <message>',
    'demo exception <message>',
    'demo flood <lines>',
    'demo freeze',
    'demo hang',
    'demo join <name> [<ip>]',
    'demo lag <ms>',
    'demo leave <name>',
    'demo world',
  ],
  run: (call) => {
    const action = ACTIONS.get(call.line.word(1));
    return action ? action(call) : call.line.refuse(1, 'Incorrect argument for command');
  },
};

const ACTIONS = new Map<string, (call: CommandCall) => void>(
  Object.entries({
    join: ({ game, source, line }) => {
      const name = line.word(2);
      const ip = line.optionalWord(3) ?? DEFAULT_IP;
      line.expectEnd(4);
      if (!PLAYER_NAME.test(name)) line.refuse(2, 'Not a player name');
      if (isIP(ip) === 0) line.refuse(3, 'Not an IP address');
      if (game.players.join(name, ip)) source.succeed(`${name} is now online`);
      else source.fail(`${name} could not join`);
    },
    leave: ({ game, source, line }) => {
      const name = line.word(2);
      line.expectEnd(3);
      if (game.players.leave(name, 'Disconnected')) source.succeed(`${name} is now offline`);
      else source.fail('No player was found');
    },
    chat: ({ game, source, line }) => {
      const player = game.players.find(line.word(2));
      if (player) game.log.info(`<${player.name}> ${line.rest(3)}`);
      else source.fail('No player was found');
    },
    error: ({ game, line }) => game.log.error(line.rest(2)),
    exception: ({ game, line }) => printException(game.log, line.rest(2)),
    answer: ({ source, line }) => {
      const text = line.optionalRest(3) ?? 'x';
      const characters = Math.min(line.wholeNumber(2), LONGEST_ANSWER);
      source.succeed(text.repeat(Math.ceil(characters / text.length)).slice(0, characters));
    },
    world: ({ game, source, line }) => {
      line.expectEnd(2);
      const { chunks, regions, changes, unsaved } = game.world.stats;
      source.succeed(`${chunks} chunks in ${regions} region files, changed ${changes} times, ${unsaved} not saved yet`);
    },
    flood: ({ game, source, line }) => {
      const lines = line.wholeNumber(2);
      line.expectEnd(3);
      source.succeed(`Flooding the console with ${lines} lines`);
      game.flood(lines);
    },
    lag: ({ game, source, line }) => {
      const ms = line.wholeNumber(2);
      line.expectEnd(3);
      game.lag(ms);
      source.succeed(`Each tick takes ${ms} ms longer`);
    },
    hang: ({ game, source, line }) => {
      line.expectEnd(2);
      source.succeed('Hanging now');
      game.hang();
    },
    freeze: ({ game, source, line }) => {
      line.expectEnd(2);
      source.succeed('Freezing now');
      game.freeze();
    },
    crash: ({ game, line }) => {
      line.expectEnd(2);
      game.crash();
    },
  }),
);

/** The names that Gamekeeper accepts: Java's, and those of proxies for Bedrock players, with a leading mark. */
const PLAYER_NAME = /^[.*-]?[A-Za-z0-9_]{1,16}$/;
/** Reserved for documentation (RFC 5737). */
const DEFAULT_IP = '203.0.113.7';
/** In UTF-16 units. Far more than RCON clients expect. */
const LONGEST_ANSWER = 1_000_000;
