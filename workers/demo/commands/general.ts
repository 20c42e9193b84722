import type { Command } from './command.ts';

export const generalCommands: readonly Command[] = [
  {
    name: 'list',
    usages: ['list [uuids]'],
    run: ({ game, source, line }) => {
      const withUuids = line.optionalWord(1) === 'uuids';
      line.expectEnd(withUuids ? 2 : 1);
      const { all, maxPlayers } = game.players;
      const names = all.map(({ name, uuid }) => (withUuids ? `${name} (${uuid})` : name)).join(', ');
      source.succeed(`There are ${all.length} of a max of ${maxPlayers} players online: ${names}`);
    },
  },
  {
    name: 'say',
    usages: ['say <message>'],
    run: ({ game, source, line }) => game.log.info(`[${source.name}] ${line.rest(1)}`),
  },
  {
    name: 'seed',
    usages: ['seed'],
    run: ({ game, source, line }) => {
      line.expectEnd(1);
      source.succeed(`Seed: [${game.world.seed}]`);
    },
  },
  {
    name: 'stop',
    usages: ['stop'],
    run: ({ game, source, line }) => {
      line.expectEnd(1);
      source.succeed('Stopping the server', 'told');
      game.requestStop();
    },
  },
];
