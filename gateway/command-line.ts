import path from 'node:path';
import { parseArgs } from 'node:util';

/** What the daemon tells this process when it starts it. */
export interface CommandLine {
  home: string;
  panelPort: number;
  remotePort: number;
}

/**
 * Reads `--home <dir>`, and the ports from the documented variables, which the daemon always sets: to what the settings say, or after a
 * restart to what was bound before. Throws for anything else.
 */
export function parseCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): CommandLine {
  const { values } = parseArgs({ args: [...args], options: { home: { type: 'string' } } });
  if (values.home === undefined) throw new Error('--home is missing');
  return {
    home: path.resolve(values.home),
    panelPort: portFrom('GAMEKEEPER_PORT', env),
    remotePort: portFrom('GAMEKEEPER_REMOTE_PORT', env),
  };
}

function portFrom(variable: string, env: NodeJS.ProcessEnv): number {
  const text = env[variable];
  const port = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${variable} must be a port from 0 to 65535`);
  return port;
}
