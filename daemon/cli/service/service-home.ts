import { chown, mkdir, stat } from 'node:fs/promises';
import { Failure } from '../api/failure.ts';
import { runCommand } from './run-command.ts';

const PRIVATE = 0o700;

/**
 * Creates the data directory of a system service for `user`. Changes nothing if it exists. Throws a Failure with the command to run if the user
 * could not write to it.
 */
export async function prepareServiceHome(folder: string, user: string): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Failure('A system service must be installed by root: sudo npx gamekeeper service install ...');
  const [uid, gid] = await Promise.all([idOf('--user', user), idOf('--group', user)]);
  try {
    const created = await mkdir(folder, { recursive: true, mode: PRIVATE });
    if (created !== undefined) return await chown(folder, uid, gid);
  } catch (error) {
    throw new Failure(`${folder} cannot be created: ${(error as Error).message}`, { cause: error });
  }
  if ((await stat(folder)).uid !== uid)
    throw new Failure(
      `${folder} belongs to another user, and ${user} must be able to write to it. If it is for Gamekeeper: chown -R ${user} '${folder}'`,
    );
}

async function idOf(kind: '--user' | '--group', user: string): Promise<number> {
  const { ok, stdout } = await runCommand(['id', kind, '--', user]);
  if (!ok)
    throw new Failure(
      `This machine has no user ${JSON.stringify(user)}. Create it: useradd --system --create-home ${user}`,
    );
  return Number(stdout);
}
