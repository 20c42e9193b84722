/** The `gamekeeper` command. */

import { CommanderError } from 'commander';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { asFailure } from './api/failure.ts';
import { createProgram } from './program.ts';
import { isUninterrupted } from './terminal/uninterrupted.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isUninterrupted()) return;
  // The reader of a pipe has exited, as in `gamekeeper logs demo | head`, or the terminal was closed (EIO).
  if (hasErrorCode(error, 'EPIPE', 'EIO')) process.exit(process.exitCode ?? EXIT.ok);
  throw error;
});
// Messages are lost if nothing reads them; the command continues.
process.stderr.on('error', () => undefined);

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has already printed the problem or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { message, exitCode } = asFailure(error);
  process.stderr.write(`${message}\n`);
  return exitCode;
}
