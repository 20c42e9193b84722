import { open, readdir, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Throws `invalid_state` if a program has one of these files open or locked, as a running server does. Not all systems can report that. */
export async function requireNotInUse(directory: string, files: readonly string[]): Promise<void> {
  for (const name of files) {
    const file = path.join(directory, name);
    const holder = process.platform === 'linux' ? await holderOnLinux(file) : await holderElsewhere(file);
    if (holder !== undefined)
      throw new GamekeeperError('invalid_state', `A server is running in ${directory}: ${holder} has ${name} open.`, {
        resolution: 'Stop that server first, then import its folder.',
      });
  }
}

async function holderOnLinux(file: string): Promise<string | undefined> {
  const pid = (await holderByDescriptor(file)) ?? (await holderByLock(file));
  return pid && `process ${pid}`;
}

/** Finds the processes of the same user: Linux shows which files they have open. */
async function holderByDescriptor(file: string): Promise<string | undefined> {
  const { dev, ino } = await stat(file);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`;
    // Another user's process, or it has ended.
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

/** Finds other users' processes: Java locks the file (proc_locks(5): type, mode, process, device in hex, inode). */
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

/** On Windows a locked file cannot be read. */
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
