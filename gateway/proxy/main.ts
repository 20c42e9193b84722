/** The hosted proxy: accounts, OAuth 2.0, and the way to daemons behind any router (docs/proxy.md). `gamekeeper proxy` starts it. */
import { CommanderError } from 'commander';
import { showUnprintable } from '../../shared/domain/console/invisible-characters.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';
import { createProgram } from './commands/program.ts';

// A terminal may be closed and a pipe's reader may exit. That must not end the proxy.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await createProgram().parseAsync();
  process.exit(EXIT.ok);
} catch (error) {
  process.exit(explain(error));
}

/** Writes what went wrong to stderr. Returns the exit status. */
function explain(error: unknown): number {
  // Commander has already printed the problem or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const print = (text: string) => process.stderr.write(`${showUnprintable(text)}\n`);
  if (error instanceof StartupError) {
    print(error.message);
    return error.exitCode;
  }
  if (error instanceof GamekeeperError) print(`${error.message}\n${error.resolution}`);
  else print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.failure;
}
