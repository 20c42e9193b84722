import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { TunnelError } from '../providers/provider.ts';

/** Returns the absolute path of a program, given by its own path or found on the PATH. Throws TunnelError if there is none. */
export async function findOnPath(name: string, chosen: string | undefined): Promise<string> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = chosen === undefined ? folders.map((folder) => path.join(folder, file)) : [chosen];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  throw new TunnelError(
    chosen === undefined
      ? `The program ${name} is not installed on this computer. Install it, or set its path.`
      : `${chosen} is not a program that can be run.`,
  );
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
