import { softwareFor } from '../../../shared/domain/software/catalogue.ts';
import type { SaveCommands, SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** Stop commands that are Ctrl+C. */
const INTERRUPT = new Set(['^C', '\u0003']);

/** How one instance is run: the definition of its software with the instance's own settings applied. */
export interface GameRules {
  definition: SoftwareDefinition;
  /** Absent, like the seconds: the server is ready once it has its port. */
  readyPattern: RegExp | undefined;
  readyAfterSeconds: number | undefined;
  stopCommand: string;
  /** The commands of a stop, in order: save, then stop. */
  stopCommands: readonly string[];
  /** The signal that ends the server after these commands; absent: the last command does. */
  stopSignal?: 'SIGINT' | 'SIGTERM';
  save: SaveCommands;
}

/** Returns the rules of an instance. Throws `invalid_request` for unknown software or a pattern that does not compile. */
export function rulesOf(config: InstanceConfig): GameRules {
  const definition = softwareFor(config);
  if (!definition) throw new GamekeeperError('invalid_request', `There is no software "${config.software}".`);
  // One sign of the owner's replaces those of the kind.
  const { readyPattern, readyAfterSeconds } =
    config.readyPattern === undefined && config.readyAfterSeconds === undefined ? definition : config;
  const save: SaveCommands = Object.assign({}, definition.save, config.saveCommands);
  // The definition's patterns do not fit the owner's own commands.
  if (config.saveCommands?.off !== undefined) delete save.heldPattern;
  if (config.saveCommands?.flush !== undefined) {
    delete save.notSavedPattern;
    delete save.flushAgainMs;
  }
  if (save.savedPattern !== undefined) compilePattern(save.savedPattern, 'saveCommands.savedPattern');
  const stopCommand = config.stopCommand ?? definition.stop?.command ?? definition.stopCommand;
  const ownSignal = INTERRUPT.has(config.stopCommand ?? '') ? 'INT' : undefined;
  const stopSignal = config.stopCommand === undefined ? definition.stop?.signal : ownSignal;
  // Custom software has no save command of its own; the owner may have named one.
  const saveBeforeStop = definition.saveBeforeStop ?? config.saveCommands?.flush;
  return {
    definition,
    readyPattern: readyPattern == null ? undefined : compilePattern(readyPattern, 'readyPattern'),
    readyAfterSeconds,
    stopCommand,
    stopCommands: [
      ...(saveBeforeStop == null ? [] : [saveBeforeStop]),
      ...(stopSignal === undefined ? [stopCommand] : []),
    ],
    ...(stopSignal && { stopSignal: `SIG${stopSignal}` as const }),
    save,
  };
}

/** Returns true for a custom program that may be any game: a line that is typed into its console may mean anything there. */
export function mayBeAnyGame({ launch }: SoftwareDefinition, { rcon }: { readonly rcon?: unknown }): boolean {
  return launch.type === 'program' && rcon === undefined;
}

/** Compiles a pattern from an instance's settings. Throws `invalid_request`, naming the setting. */
export function compilePattern(source: string, setting: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new GamekeeperError('invalid_request', `${setting} is not a valid regular expression: ${source}`, { cause });
  }
}
