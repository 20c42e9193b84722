import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { SettingsError } from '../../shared/node/files/settings-file.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';

/** Returns what to write to stderr about a failure, and the exit status. */
export function explainFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof StartupError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof SettingsError) return { message: error.message, exitCode: EXIT.usage };
  if (error instanceof GamekeeperError)
    return { message: `${error.message}\n${error.resolution}`, exitCode: EXIT.failure };
  // A bug: its stack helps to find it.
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: EXIT.failure };
}
