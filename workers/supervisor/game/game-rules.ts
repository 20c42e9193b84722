import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import type { SaveCommands, SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { compilePattern } from './readiness.ts';

/** How one instance is handled: its software's definition with what the instance says otherwise. */
export interface GameRules {
  definition: SoftwareDefinition;
  /** `undefined`: ready once the port accepts connections. */
  readyPattern: RegExp | undefined;
  stopCommand: string;
  /** Commands of a stop, in order. */
  stopCommands: readonly string[];
  save: SaveCommands;
}

/** Throws `invalid_request` for a kind that does not exist or a pattern that cannot be compiled. */
export function rulesOf(config: InstanceConfig): GameRules {
  const definition = softwareOf(config.software);
  if (!definition) throw new GamekeeperError('invalid_request', `There is no software "${config.software}".`);
  const readySource = config.readyPattern ?? definition.readyPattern;
  const save: SaveCommands = Object.assign({}, definition.save, config.saveCommands);
  // Of another command of the owner's nothing is known.
  if (config.saveCommands?.off !== undefined) delete save.heldPattern;
  if (config.saveCommands?.flush !== undefined) {
    delete save.notSavedPattern;
    delete save.flushAgainMs;
  }
  if (save.savedPattern !== undefined) compilePattern(save.savedPattern, 'saveCommands.savedPattern');
  const stopCommand = config.stopCommand ?? definition.stopCommand;
  // A known server saves with its own command, a program of the owner's with the one that was named for it.
  const saveBeforeStop = definition.saveBeforeStop ?? config.saveCommands?.flush;
  return {
    definition,
    readyPattern: readySource === null ? undefined : compilePattern(readySource, 'readyPattern'),
    stopCommand,
    stopCommands: saveBeforeStop === undefined ? [stopCommand] : [saveBeforeStop, stopCommand],
    save,
  };
}
