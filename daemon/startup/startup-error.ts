import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { SettingsError } from '../../shared/node/files/settings-file.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';

/** Why Gamekeeper cannot run, in words for the person at the terminal: what happened, and what to do about it. */
export class StartupError extends Error {
  override name = 'StartupError';
  readonly exitCode: number;

  constructor(message: string, options: { cause?: unknown; exitCode?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}

/** What to write on stderr about a failure, and the exit status to end with. */
export function explainFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof StartupError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof SettingsError) return { message: error.message, exitCode: EXIT.usage };
  if (error instanceof GamekeeperError)
    return { message: `${error.message}\n${error.resolution}`, exitCode: EXIT.failure };
  // A mistake of ours: the stack is what whoever mends it needs.
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: EXIT.failure };
}
