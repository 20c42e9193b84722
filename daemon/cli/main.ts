/** The `gamekeeper` command. */
import { CommanderError } from 'commander';
import { EXIT } from '../../shared/node/exit-codes.ts';
import { asFailure } from './failure.ts';
import { createProgram } from './program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `gamekeeper logs demo | head`: the reader has seen enough.
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

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
