import type { Command, CommandCall } from './command.ts';
import { UNKNOWN_PLAYER } from './moderation.ts';

export const whitelistCommand: Command = {
  name: 'whitelist',
  usages: ['whitelist (on|off|list|add|remove|reload)'],
  run: (call) => {
    const action = ACTIONS.get(call.line.word(1));
    return action ? action(call) : call.line.refuse(1, 'Incorrect argument for command');
  },
};

type Action = (call: CommandCall) => void | Promise<void>;

const ACTIONS = new Map<string, Action>(
  Object.entries({
    on: (call) => enforce(call, true),
    off: (call) => enforce(call, false),
    list: ({ game, source }) => {
      const names = game.lists.whitelist.entries.map(({ name }) => name);
      if (names.length === 0) return source.succeed('There are no whitelisted players');
      source.succeed(`There are ${names.length} whitelisted player(s): ${names.join(', ')}`);
    },
    add: async ({ game, source, line }) => {
      const player = game.players.profileOf(line.word(2));
      line.expectEnd(3);
      if (!player) return source.fail(UNKNOWN_PLAYER);
      if (game.lists.whitelist.find(player.name)) return source.fail('Player is already whitelisted');
      await game.lists.whitelist.add(player);
      source.succeed(`Added ${player.name} to the whitelist`, 'told');
    },
    remove: async ({ game, source, line }) => {
      const entry = game.lists.whitelist.find(line.word(2));
      line.expectEnd(3);
      if (!entry) return source.fail('Player is not whitelisted');
      await game.lists.whitelist.remove(entry);
      source.succeed(`Removed ${entry.name} from the whitelist`, 'told');
    },
    reload: async ({ game, source }) => {
      await game.lists.whitelist.reload();
      source.succeed('Reloaded the whitelist', 'told');
    },
  }),
);

async function enforce({ game, source, line }: CommandCall, enforced: boolean): Promise<void> {
  line.expectEnd(2);
  const word = enforced ? 'on' : 'off';
  if (game.players.whitelistEnforced === enforced) return source.fail(`Whitelist is already turned ${word}`);
  game.players.whitelistEnforced = enforced;
  await game.store('white-list', String(enforced));
  source.succeed(`Whitelist is now turned ${word}`, 'told');
}
