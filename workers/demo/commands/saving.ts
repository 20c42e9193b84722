import type { Command } from './command.ts';

/** With the texts of 1.13 and later. */
export const savingCommands: readonly Command[] = [
  {
    name: 'save-off',
    usages: ['save-off'],
    run: ({ game, source, line }) => {
      line.expectEnd(1);
      if (!game.world.autosave) return source.fail('Saving is already turned off');
      game.world.autosave = false;
      source.succeed('Automatic saving is now disabled', 'told');
    },
  },
  {
    name: 'save-on',
    usages: ['save-on'],
    run: ({ game, source, line }) => {
      line.expectEnd(1);
      if (game.world.autosave) return source.fail('Saving is already turned on');
      game.world.autosave = true;
      source.succeed('Automatic saving is now enabled', 'told');
    },
  },
  {
    name: 'save-all',
    usages: ['save-all [flush]'],
    run: async ({ game, source, line }) => {
      const flush = line.optionalWord(1) === 'flush';
      line.expectEnd(flush ? 2 : 1);
      source.succeed('Saving the game (this may take a moment!)');
      try {
        await game.world.save({ flush });
      } catch {
        // The world has logged why.
        return source.fail('Unable to save the game (is there enough disk space?)');
      }
      if (flush) game.log.info(`ThreadedAnvilChunkStorage (${game.world.name}): All chunks are saved`);
      source.succeed('Saved the game', 'told');
    },
  },
];
