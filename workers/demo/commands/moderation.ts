import { banTime } from '../players/player-lists.ts';
import type { Command } from './command.ts';

/** Vanilla's text for a name that Mojang does not know. */
export const UNKNOWN_PLAYER = 'That player does not exist';

/** In offline mode vanilla accepts any name, so only `kick` can fail to find its player. */
export const moderationCommands: readonly Command[] = [
  {
    name: 'kick',
    usages: ['kick <targets> [<reason>]'],
    run: ({ game, source, line }) => {
      const player = game.players.find(line.string(1));
      if (!player) return source.fail('No player was found');
      const reason = line.optionalRest(2) ?? 'Kicked by an operator';
      game.players.leave(player.name, reason);
      source.succeed(`Kicked ${player.name}: ${reason}`, 'told');
    },
  },
  {
    name: 'ban',
    usages: ['ban <targets> [<reason>]'],
    run: async ({ game, source, line }) => {
      const player = game.players.profileOf(line.word(1));
      if (!player) return source.fail(UNKNOWN_PLAYER);
      const { name } = player;
      if (game.lists.bans.find(name)) return source.fail('Nothing changed. The player is already banned');
      const reason = line.optionalRest(2) ?? 'Banned by an operator.';
      const created = banTime(new Date());
      const ban = { ...player, created, source: source.name, expires: 'forever', reason };
      await game.lists.bans.add(ban);
      source.succeed(`Banned ${name}: ${reason}`, 'told');
      game.players.leave(name, 'You are banned from this server');
    },
  },
  {
    name: 'pardon',
    usages: ['pardon <targets>'],
    run: async ({ game, source, line }) => {
      const ban = game.lists.bans.find(line.word(1));
      line.expectEnd(2);
      if (!ban) return source.fail("Nothing changed. The player isn't banned");
      await game.lists.bans.remove(ban);
      source.succeed(`Unbanned ${ban.name}`, 'told');
    },
  },
  {
    name: 'banlist',
    usages: ['banlist [ips|players]'],
    run: ({ game, source, line }) => {
      const kind = line.optionalWord(1);
      if (kind !== undefined && kind !== 'ips' && kind !== 'players') line.expectEnd(1);
      const bans = kind === 'ips' ? [] : game.lists.bans.entries;
      if (bans.length === 0) return source.succeed('There are no bans');
      source.succeed(`There are ${bans.length} ban(s):`);
      for (const ban of bans) source.succeed(`${ban.name} was banned by ${ban.source}: ${ban.reason}`);
    },
  },
  {
    name: 'op',
    usages: ['op <targets>'],
    run: async ({ game, source, line }) => {
      const player = game.players.profileOf(line.word(1));
      line.expectEnd(2);
      if (!player) return source.fail(UNKNOWN_PLAYER);
      const { name } = player;
      if (game.lists.operators.find(name)) return source.fail('Nothing changed. The player already is an operator');
      await game.lists.operators.add({ ...player, level: 4, bypassesPlayerLimit: false });
      source.succeed(`Made ${name} a server operator`, 'told');
    },
  },
  {
    name: 'deop',
    usages: ['deop <targets>'],
    run: async ({ game, source, line }) => {
      const operator = game.lists.operators.find(line.word(1));
      line.expectEnd(2);
      if (!operator) return source.fail('Nothing changed. The player is not an operator');
      await game.lists.operators.remove(operator);
      source.succeed(`Made ${operator.name} no longer a server operator`, 'told');
    },
  },
];
