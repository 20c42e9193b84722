import { findProgram } from '../../../shared/node/processes/find-program.ts';
import { TunnelError } from '../providers/provider.ts';

/** Returns the absolute path of a program, given by its own path or found on the PATH. Throws TunnelError if there is none. */
export async function requiredProgram(name: string, chosen: string | undefined): Promise<string> {
  const found = await findProgram(name, { chosen });
  if (found !== undefined) return found;
  throw new TunnelError(
    chosen === undefined
      ? `The program ${name} is not installed on this computer. Install it, or set its path.`
      : `${chosen} is not a program that can be run.`,
  );
}
