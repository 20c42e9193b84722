import path from 'node:path';
import { parseArgs } from 'node:util';

export interface GatewayCommandLine {
  /** Absolute path of the data directory. */
  home: string;
  /** It replaces one that died. */
  again: boolean;
}

/** Reads `--home <dir>`, absolute, and `--again`. Throws for anything else. */
export function parseCommandLine(args: readonly string[]): GatewayCommandLine {
  const { values } = parseArgs({ args: [...args], options: { home: { type: 'string' }, again: { type: 'boolean' } } });
  if (values.home === undefined) throw new Error('--home is missing');
  return { home: path.resolve(values.home), again: values.again ?? false };
}
