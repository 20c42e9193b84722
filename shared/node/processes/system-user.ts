import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { GamekeeperError } from '../../errors/gamekeeper-error.ts';

const run = promisify(execFile);

const SETPRIV = '/usr/bin/setpriv';
const ROOT = 0;
/** getent(1): "One or more supplied key could not be found in the database." */
const NOT_FOUND = 2;

/** A user of this machine. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** Returns whether this process has the rights to run servers as other users. */
export function canRunAsOthers(): boolean {
  return process.platform === 'linux' && process.getuid?.() === ROOT;
}

/**
 * Looks up the user that a server is to run as, where the machine does: in files, LDAP and so on. Throws `launch_failed` if there is none, or if this
 * process cannot run a server as somebody else.
 */
export async function findGameUser(name: string): Promise<SystemUser> {
  if (!canRunAsOthers())
    throw failed(
      `Only root can run a server as the user "${name}".`,
      'Run Gamekeeper as root on Linux, or set runAs to null.',
    );
  await access(SETPRIV).catch((cause: unknown) => {
    throw failed(`This machine does not have ${SETPRIV}.`, 'Install the package util-linux.', cause);
  });
  const { stdout } = await run('getent', ['passwd', '--', name]).catch((cause: unknown) => {
    if ((cause as { code?: unknown }).code !== NOT_FOUND) throw cause;
    const create = `useradd --system --shell /usr/sbin/nologin ${name}`;
    throw failed(`This machine has no user "${name}".`, `Create it, for example: ${create}`, cause);
  });
  // name:password:uid:gid:… (passwd(5))
  const [, , uid, gid] = stdout.split(':').map(Number) as [number, number, number, number];
  if (uid === ROOT || gid === ROOT)
    throw failed(`The user "${name}" has rights of root.`, 'Set runAs to a user with fewer rights, or to null.');
  return { name, uid, gid };
}

/**
 * Wraps a command line, so that root runs it as another user: with that user's groups, without capabilities, and without a way to get more
 * rights from setuid programs (setpriv(1)). It stays the same process.
 */
export function asUser({ uid, gid }: SystemUser, line: readonly string[]): [program: string, ...args: string[]] {
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--init-groups'];
  return [SETPRIV, ...identity, '--inh-caps=-all', '--no-new-privs', '--', ...line];
}

function failed(detail: string, resolution: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('launch_failed', detail, { resolution, cause });
}
