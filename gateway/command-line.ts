import path from 'node:path';
import { parseArgs } from 'node:util';

/** What the daemon tells this process when it starts it. */
export interface CommandLine {
  home: string;
  panelPort: number;
  remotePort: number;
}

/** Reads `--home <dir> --panel-port <n> --remote-port <n>`. Throws for anything else. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: { home: { type: 'string' }, 'panel-port': { type: 'string' }, 'remote-port': { type: 'string' } },
  });
  if (values.home === undefined) throw new Error('--home is missing');
  return {
    home: path.resolve(values.home),
    panelPort: portFrom('--panel-port', values['panel-port']),
    remotePort: portFrom('--remote-port', values['remote-port']),
  };
}

function portFrom(option: string, text: string | undefined): number {
  const port = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${option} must be a port from 0 to 65535`);
  return port;
}
