import type { Command } from './command.ts';

const DIFFICULTIES = ['peaceful', 'easy', 'normal', 'hard'];
const GAME_MODES = ['survival', 'creative', 'adventure', 'spectator'];

/** Vanilla's commands that change what `server.properties` has as well. Only `setidletimeout` stores it there. */
export const settingsCommands: readonly Command[] = [
  {
    name: 'difficulty',
    usages: ['difficulty [easy|hard|normal|peaceful]'],
    run: ({ game: { settings }, source, line }) => {
      const wanted = line.optionalWord(1);
      if (wanted === undefined) return source.succeed(`The difficulty is ${capitalized(settings.difficulty)}`);
      if (!DIFFICULTIES.includes(wanted)) line.refuse(1, 'Incorrect argument for command');
      line.expectEnd(2);
      if (settings.difficulty === wanted)
        return source.fail(`The difficulty did not change; it is already set to ${wanted}`);
      settings.difficulty = wanted;
      source.succeed(`The difficulty has been set to ${capitalized(wanted)}`, 'told');
    },
  },
  {
    name: 'defaultgamemode',
    usages: ['defaultgamemode <gamemode>'],
    run: ({ game: { settings }, source, line }) => {
      const wanted = line.word(1);
      if (!GAME_MODES.includes(wanted)) line.refuse(1, `Unknown game mode: ${wanted}`);
      line.expectEnd(2);
      settings.gameMode = wanted;
      source.succeed(`The default game mode is now ${capitalized(wanted)} Mode`, 'told');
    },
  },
  {
    name: 'setidletimeout',
    usages: ['setidletimeout <minutes>'],
    run: async ({ game, source, line }) => {
      const minutes = line.wholeNumber(1);
      line.expectEnd(2);
      await game.store('player-idle-timeout', String(minutes));
      source.succeed(`The player idle timeout is now ${minutes} minutes`, 'told');
    },
  },
];

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
