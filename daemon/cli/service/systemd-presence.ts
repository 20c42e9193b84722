import { userInfo } from 'node:os';
import { Failure } from '../api/failure.ts';
import { runCommand } from './run-command.ts';

/** The first version with `RestartSteps=` (systemd.service(5)). */
const GROWING_PAUSES_SINCE = 254;

/** Throws a Failure if systemd does not run, or this user's manager cannot be reached. */
export async function requireSystemd(scope: 'system' | 'user'): Promise<void> {
  // Prints `offline` if the machine was not booted with systemd, nothing if the manager cannot be reached (systemctl(1)).
  const { stdout: state, complaint } = await runCommand(['systemctl', `--${scope}`, 'is-system-running']);
  if (state === 'offline')
    throw new Failure(
      'This machine does not run systemd (a container, or WSL without systemd), so no service can be installed.\n' +
        'Configure whatever starts programs here to run: npx gamekeeper up',
    );
  if (state !== '' && state !== 'unknown') return;
  throw new Failure(
    `systemd cannot be reached: ${complaint}\n` +
      (scope === 'user'
        ? 'Sign in as this user directly (not by su or sudo), or install a system service: sudo npx gamekeeper service install --system --user <name>'
        : 'Run this as root: sudo npx gamekeeper service install --system --user <name>'),
  );
}

/** Returns whether systemd can increase the pauses between restarts. */
export async function hasGrowingPauses(): Promise<boolean> {
  const { stdout } = await runCommand(['systemctl', '--version']);
  return Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 0) >= GROWING_PAUSES_SINCE;
}

/** Returns whether this user's services run without a login; `undefined` if unknown. */
export async function isLingering(): Promise<boolean | undefined> {
  const { stdout } = await runCommand(['loginctl', 'show-user', userInfo().username, '--property=Linger', '--value']);
  return stdout === 'yes' ? true : stdout === 'no' ? false : undefined;
}
