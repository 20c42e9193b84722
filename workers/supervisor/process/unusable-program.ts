import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** The program of a server, or its jar, is missing or cannot be executed. It cannot start until somebody changes that. */
export class UnusableProgram extends GamekeeperError {
  constructor(message: string, options: { resolution: string; cause?: unknown }) {
    super('launch_failed', message, options);
  }
}
