import type { Command, Game } from './command.ts';
import { CommandLine, CommandSyntaxError } from './command-line.ts';
import { demoCommand } from './demo.ts';
import { gameruleCommand } from './gamerule.ts';
import { generalCommands } from './general.ts';
import { moderationCommands } from './moderation.ts';
import { savingCommands } from './saving.ts';
import { settingsCommands } from './settings.ts';
import type { CommandSource } from './source.ts';
import { tickCommand } from './tick.ts';
import { whitelistCommand } from './whitelist.ts';

const COMMANDS: readonly Command[] = [
  ...generalCommands,
  ...savingCommands,
  ...moderationCommands,
  ...settingsCommands,
  gameruleCommand,
  whitelistCommand,
  tickCommand,
  demoCommand,
  {
    name: 'help',
    usages: ['help [<command>]'],
    run: ({ source, line }) => help(source, line),
  },
];
const BY_NAME = new Map(COMMANDS.map((command) => [command.name, command]));

/** Runs one command and gives the answer or the error to its source. */
export async function dispatch(input: string, { game, source }: { game: Game; source: CommandSource }): Promise<void> {
  const line = new CommandLine(input);
  try {
    const command = BY_NAME.get(line.optionalWord(0) ?? '') ?? line.refuseName();
    await command.run({ game, source, line });
  } catch (error) {
    if (error instanceof CommandSyntaxError) {
      source.fail(error.message);
      source.fail(error.context);
      return;
    }
    // Vanilla's texts for a command that throws. The reason is in the log only.
    game.log.error(`Command exception: /${line.input}`);
    game.log.raw(error instanceof Error ? String(error.stack) : String(error));
    source.fail('An unexpected error occurred trying to execute that command');
  }
}

function help(source: CommandSource, line: CommandLine): void {
  const name = line.optionalWord(1);
  const found = name === undefined ? COMMANDS : COMMANDS.filter((command) => command.name === name);
  if (found.length === 0) source.fail('Unknown command or insufficient permissions');
  const usages = found.flatMap((command) => command.usages).toSorted();
  for (const usage of usages) source.succeed(`/${usage}`);
}
