import { chown, mkdir, stat } from 'node:fs/promises';
import { Failure } from '../api/failure.ts';
import { runCommand } from './run-command.ts';

const PRIVATE = 0o700;

/**
 * Sees to it that `user` can have its data directory where a service of the machine is to: makes a folder that is not there. Changes nothing
 * in one that is. Throws Failure saying what to type where that user could not write.
 */
export async function prepareServiceHome(folder: string, user: string): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Failure('A service of the machine is installed by root: sudo npx gamekeeper service install ...');
  const [uid, gid] = await Promise.all([idOf('--user', user), idOf('--group', user)]);
  try {
    const made = await mkdir(folder, { recursive: true, mode: PRIVATE });
    if (made !== undefined) return await chown(folder, uid, gid);
  } catch (error) {
    throw new Failure(`${folder} cannot be made: ${(error as Error).message}`, { cause: error });
  }
  if ((await stat(folder)).uid !== uid)
    throw new Failure(
      `${folder} belongs to somebody else, and ${user} has to write there. If it is for Gamekeeper: chown -R ${user} '${folder}'`,
    );
}

async function idOf(kind: '--user' | '--group', user: string): Promise<number> {
  const { ok, stdout } = await runCommand(['id', kind, '--', user]);
  if (!ok)
    throw new Failure(
      `This machine has no user ${JSON.stringify(user)}. Make one: useradd --system --create-home ${user}`,
    );
  return Number(stdout);
}
