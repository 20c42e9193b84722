import { execFile } from 'node:child_process';
import { chmod, lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { handOver } from '../../../shared/node/files/server/hand-over.ts';
import { asUser, type SystemUser } from '../../../shared/node/processes/system-user.ts';

const run = promisify(execFile);

const ROOT = 0;
const STICKY = 0o1000;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_OTHERS = 0o002;
/** Others can pass through, and see nothing. */
const OPEN_TO_PASS = 0o711;
const RIGHTS_OF_OTHERS = 0o007;
const RIGHTS_BUT_OURS = 0o077;
/** proc_sys_fs(5): 0 lets every user make hard links to files of others. */
const HARD_LINKS = '/proc/sys/fs/protected_hardlinks';

/**
 * Throws `launch_failed` unless only root can put something else in the place of a server's folder. Otherwise the user that the server runs as
 * could have another folder given to it at the next start.
 */
export async function requireFixedPlace(directory: string): Promise<void> {
  const levels = directory
    .split(path.sep)
    .map((_, depth, names) => names.slice(0, depth + 1).join(path.sep) || path.sep);
  const [top = path.sep, ...below] = levels;
  let above = top;
  for (const folder of below) {
    const [{ uid, gid, mode }, inside] = await Promise.all([lstat(above), lstat(folder)]);
    const isOpen = mode & WRITABLE_BY_OTHERS || (mode & WRITABLE_BY_GROUP && gid !== ROOT);
    // In a sticky folder, such as /tmp, everybody can only replace what is theirs (inode(7)).
    const isHeld = mode & STICKY && inside.uid === ROOT && folder !== directory;
    if (uid !== ROOT || (isOpen && !isHeld) || inside.isSymbolicLink())
      throw new GamekeeperError('launch_failed', `Others than root can replace the folder ${folder}.`, {
        resolution:
          'For a server that runs as another user, the folders above its own must belong to root and be writable only by root.',
      });
    above = folder;
  }
}

/**
 * Gives a server's folder to the user that the server runs as, who can then reach it, and Java as well. Whatever else is in the data directory is
 * closed first. Throws `launch_failed` if a folder on the way keeps that user out.
 */
export async function giveFolder(directory: string, user: SystemUser, home: Home): Promise<void> {
  // Otherwise a server could have files outside of its folder given to it.
  if ((await readFile(HARD_LINKS, 'utf8')).trim() === '0')
    throw new GamekeeperError('launch_failed', 'This machine lets users make hard links to files of others.', {
      resolution: 'Turn that off: sysctl fs.protected_hardlinks=1',
    });
  await closeEntries(home.instances, RIGHTS_OF_OTHERS);
  await closeEntries(home.root, RIGHTS_BUT_OURS, [home.instances, home.runtimes]);
  for (const folder of [home.instances, home.runtimes, home.root]) await chmod(folder, OPEN_TO_PASS);
  await handOver(directory, user);
  const [program, ...args] = asUser(user, ['/usr/bin/test', '-w', directory]);
  await run(program, args, { env: {} }).catch((cause: unknown) => {
    throw new GamekeeperError('launch_failed', `The user "${user.name}" cannot reach the folder ${directory}.`, {
      resolution:
        'Let that user pass through each folder above it (chmod o+x), or use another place, such as /var/lib/gamekeeper.',
      cause,
    });
  });
}

/** Until now, the mode of the folder may have been what kept others out. */
async function closeEntries(folder: string, rights: number, except: readonly string[] = []): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name);
    const stats = await lstat(place);
    if (except.includes(place) || stats.isSymbolicLink() || (stats.mode & rights) === 0) continue;
    await chmod(place, stats.mode & 0o7777 & ~rights);
  }
}
