/** The `gamekeeper` command. */

import { CommanderError } from 'commander';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { asFailure } from './api/failure.ts';
import { createProgram } from './program.ts';
import { isUninterrupted } from './terminal/uninterrupted.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isUninterrupted()) return;
  // `gamekeeper logs demo | head`: the reader has seen enough. A terminal that was closed (EIO) shows no more either.
  if (hasErrorCode(error, 'EPIPE', 'EIO')) process.exit(process.exitCode ?? EXIT.ok);
  throw error;
});
// What is said beside the answer is lost where nobody reads it; the command goes on.
process.stderr.on('error', () => undefined);

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has printed what is wrong, or the help that was asked for, already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { message, exitCode } = asFailure(error);
  process.stderr.write(`${message}\n`);
  return exitCode;
}
