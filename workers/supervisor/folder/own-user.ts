import { execFile } from 'node:child_process';
import { chmod, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { handOver } from '../../../shared/node/files/server/hand-over.ts';
import { asUser, type SystemUser } from '../../../shared/node/processes/system-user.ts';

const run = promisify(execFile);

const OTHERS_MAY_PASS = 0o011;
/** proc_sys_fs(5): 0 lets every user make hard links to files of others. */
const HARD_LINKS = '/proc/sys/fs/protected_hardlinks';

/**
 * Gives a server's folder to the user that the server runs as, who can then reach it, and Java as well. Throws `launch_failed` if a folder on the
 * way to it, which is not Gamekeeper's, keeps that user out.
 */
export async function giveFolder(directory: string, user: SystemUser, home: Home): Promise<void> {
  // Otherwise a server could have files outside of its folder given to it.
  if ((await readFile(HARD_LINKS, 'utf8')).trim() === '0')
    throw new GamekeeperError('launch_failed', 'This machine lets users make hard links to files of others.', {
      resolution: 'Turn that off: sysctl fs.protected_hardlinks=1',
    });
  for (const folder of [home.root, home.instances, home.runtimes]) {
    const { mode } = await stat(folder);
    if ((mode & OTHERS_MAY_PASS) !== OTHERS_MAY_PASS) await chmod(folder, (mode & 0o7777) | OTHERS_MAY_PASS);
  }
  await handOver(directory, user);
  const [program, ...args] = asUser(user, ['/usr/bin/test', '-w', directory]);
  await run(program, args).catch((cause: unknown) => {
    throw new GamekeeperError('launch_failed', `The user "${user.name}" cannot reach the folder ${directory}.`, {
      resolution: 'Let that user pass through each folder above it: chmod o+x <folder>',
      cause,
    });
  });
}
