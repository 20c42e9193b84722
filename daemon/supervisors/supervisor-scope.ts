import { execFile } from 'node:child_process';

/** systemd answers in milliseconds; the start of a server does not wait for it any longer. */
const ASK_TIMEOUT_MS = 2_000;

/** The unit that `gamekeeper service install` writes. */
const UNIT = 'gamekeeper.service';

const SCOPE: readonly string[] = [
  'systemd-run',
  ...['--user', '--scope', '--quiet', '--collect', '--description=A game server of Gamekeeper'],
  // systemd stops units in the reverse order of their start, so the daemon stops the servers before their scopes end.
  `--property=Before=${UNIT}`,
];

/** Otherwise an OOM kill in a scope ends the rest of it too (systemd 253 and newer, which introduced this property). */
const OOM = '--property=OOMPolicy=continue';

/**
 * Returns the command to start a supervisor through: systemd-run(1), which makes a transient scope around itself before it becomes the
 * program. Then nothing that happens to the service's unit touches the supervisor. Returns an empty list if systemd does not run this daemon
 * or makes no scope for it (a system service); the unit's `KillMode=process` has to be enough then.
 */
export async function supervisorScope(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  if (env.GAMEKEEPER_SERVICE !== 'systemd') return [];
  for (const scope of [
    [...SCOPE, OOM, '--'],
    [...SCOPE, '--'],
  ])
    if (await works(scope)) return scope;
  return [];
}

/** Tried with a program that does nothing, because a server must start even if no scope can be made. */
function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...args, 'true'], { timeout: ASK_TIMEOUT_MS }, (error) => resolve(error === null));
  });
}
