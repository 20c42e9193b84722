import path from 'node:path';
import { parseArgs } from 'node:util';

/** Reads `--home <dir>`, absolute. Throws for anything else. */
export function parseCommandLine(args: readonly string[]): { home: string } {
  const { values } = parseArgs({ args: [...args], options: { home: { type: 'string' } } });
  if (values.home === undefined) throw new Error('--home is missing');
  return { home: path.resolve(values.home) };
}
