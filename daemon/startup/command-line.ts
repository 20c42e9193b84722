import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultHome } from '../../shared/node/files/home.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';

export interface DaemonOptions {
  /** Absolute path of the data directory. */
  home: string;
  /** Report readiness as one JSON document instead of text. */
  json: boolean;
  /** Only print the description of this version. */
  describe: boolean;
}

/** Throws StartupError (exit status 2) for an unknown option. */
export function parseCommandLine(args: string[], env: NodeJS.ProcessEnv): DaemonOptions {
  try {
    const { values } = parseArgs({
      args,
      options: { home: { type: 'string' }, json: { type: 'boolean' }, describe: { type: 'boolean' } },
    });
    return {
      home: values.home === undefined ? defaultHome(env) : path.resolve(values.home),
      json: values.json ?? false,
      describe: values.describe ?? false,
    };
  } catch (error) {
    throw new StartupError((error as Error).message, { cause: error, exitCode: EXIT.usage });
  }
}
