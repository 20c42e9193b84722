import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import type { SaveCommands, SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** How one instance is run: the definition of its software with the instance's own settings applied. */
export interface GameRules {
  definition: SoftwareDefinition;
  /** `undefined`: the server is ready once its port accepts connections. */
  readyPattern: RegExp | undefined;
  stopCommand: string;
  /** The commands of a stop, in order: save, then stop. */
  stopCommands: readonly string[];
  save: SaveCommands;
}

/** Returns the rules of an instance. Throws `invalid_request` for unknown software or a pattern that does not compile. */
export function rulesOf(config: InstanceConfig): GameRules {
  const definition = softwareOf(config.software);
  if (!definition) throw new GamekeeperError('invalid_request', `There is no software "${config.software}".`);
  const readySource = config.readyPattern ?? definition.readyPattern;
  const save: SaveCommands = Object.assign({}, definition.save, config.saveCommands);
  // The definition's patterns do not fit the owner's own commands.
  if (config.saveCommands?.off !== undefined) delete save.heldPattern;
  if (config.saveCommands?.flush !== undefined) {
    delete save.notSavedPattern;
    delete save.flushAgainMs;
  }
  if (save.savedPattern !== undefined) compilePattern(save.savedPattern, 'saveCommands.savedPattern');
  const stopCommand = config.stopCommand ?? definition.stopCommand;
  // Custom software has no save command of its own; the owner may have named one.
  const saveBeforeStop = definition.saveBeforeStop ?? config.saveCommands?.flush;
  return {
    definition,
    readyPattern: readySource === null ? undefined : compilePattern(readySource, 'readyPattern'),
    stopCommand,
    stopCommands: saveBeforeStop === undefined ? [stopCommand] : [saveBeforeStop, stopCommand],
    save,
  };
}

/** Compiles a pattern from an instance's settings. Throws `invalid_request`, naming the setting. */
export function compilePattern(source: string, setting: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new GamekeeperError('invalid_request', `${setting} is not a valid regular expression: ${source}`, { cause });
  }
}
