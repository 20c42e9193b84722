import { userInfo } from 'node:os';
import { Failure } from '../api/failure.ts';
import { runCommand } from './run-command.ts';

/** The first that knows `RestartSteps=` (systemd.service(5)). */
const GROWING_PAUSES_SINCE = 254;

/** Throws Failure where systemd does not run, or this user's manager cannot be reached. */
export async function requireSystemd(scope: 'system' | 'user'): Promise<void> {
  // Says `offline` where the machine was not started with systemd, nothing where the manager cannot be asked (systemctl(1)).
  const { stdout: state, complaint } = await runCommand(['systemctl', `--${scope}`, 'is-system-running']);
  if (state === 'offline')
    throw new Failure(
      'This machine does not run systemd, so there is nothing to install a service in (a container, WSL without systemd).\n' +
        'Let what starts programs here run: npx gamekeeper up',
    );
  if (state !== '' && state !== 'unknown') return;
  throw new Failure(
    `systemd cannot be asked: ${complaint}\n` +
      (scope === 'user'
        ? 'Sign in as this user directly (not by su or sudo), or install for the machine: sudo npx gamekeeper service install --system --user <name>'
        : 'Run this as root: sudo npx gamekeeper service install --system --user <name>'),
  );
}

/** Whether the pauses between restarts can grow; not where there is no systemd to ask. */
export async function hasGrowingPauses(): Promise<boolean> {
  const { stdout } = await runCommand(['systemctl', '--version']);
  return Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 0) >= GROWING_PAUSES_SINCE;
}

/** Whether this user's services outlive a logout and start with the machine; undefined: nobody can tell. */
export async function isLingering(): Promise<boolean | undefined> {
  const { stdout } = await runCommand(['loginctl', 'show-user', userInfo().username, '--property=Linger', '--value']);
  return stdout === 'yes' ? true : stdout === 'no' ? false : undefined;
}
