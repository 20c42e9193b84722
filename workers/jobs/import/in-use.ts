import { open, readdir, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/**
 * Throws `invalid_state` when a program has one of these files of a server's folder open or locked: they are those that a server which
 * runs keeps (vanilla's `session.lock`, LevelDB's `LOCK` of Bedrock). Where the system does not tell, nothing is thrown.
 */
export async function requireNotInUse(directory: string, files: readonly string[]): Promise<void> {
  for (const name of files) {
    const file = path.join(directory, name);
    const holder = process.platform === 'linux' ? await holderOnLinux(file) : await holderElsewhere(file);
    if (holder !== undefined)
      throw new GamekeeperError('invalid_state', `A server is running in ${directory}: ${holder} has ${name} open.`, {
        resolution: 'Stop it first, then import its folder.',
      });
  }
}

async function holderOnLinux(file: string): Promise<string | undefined> {
  const pid = (await holderByDescriptor(file)) ?? (await holderByLock(file));
  return pid && `process ${pid}`;
}

/** Of what this user runs: Linux shows what it has open. */
async function holderByDescriptor(file: string): Promise<string | undefined> {
  const { dev, ino } = await stat(file);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`;
    // Somebody else's, or gone meanwhile.
    const descriptors = await readdir(folder).catch(() => []);
    for (const descriptor of descriptors) {
      const link = `${folder}/${descriptor}`;
      if (path.basename(await readlink(link).catch(() => '')) !== path.basename(file)) continue;
      const stats = await stat(link).catch(() => undefined); // closed meanwhile
      if (stats?.ino === ino && stats.dev === dev) return pid;
    }
  }
  return undefined;
}

/** Of what others run: Java locks the file (proc_locks(5): type, mode, process, device in hex, inode). */
async function holderByLock(file: string): Promise<string | undefined> {
  const { dev, ino } = await stat(file);
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  const hex = (number: number) => number.toString(16).padStart(2, '0');
  const place = `${hex(major)}:${hex(minor)}:${ino}`;
  const locks = await readFile('/proc/locks', 'utf8').catch(() => ''); // a container may not show them
  return locks
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((fields) => fields[5] === place)?.[4];
}

/** On Windows a lock keeps others from reading. */
async function holderElsewhere(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file);
    await handle.read(Buffer.alloc(1), 0, 1, 0).finally(() => handle.close());
    return undefined;
  } catch (error) {
    const isLocked = hasErrorCode(error, 'EBUSY', 'EPERM');
    return isLocked ? 'a program' : undefined;
  }
}
