import type { PortChange } from '../../../shared/domain/instance/port-use.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** A port of the game is taken. */
export class PortInUse extends GamekeeperError {
  /** Frees the game of this conflict; `undefined`: unknown. */
  readonly change: PortChange | undefined;

  constructor({ message, resolution, otherInstance }: GamekeeperError, change: PortChange | undefined) {
    super('port_in_use', message, { resolution, otherInstance });
    this.change = change;
  }
}
