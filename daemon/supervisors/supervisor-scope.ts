import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { SUPERVISOR_SCOPE } from '../../shared/contract/supervisor-boot.ts';

/** systemd answers in milliseconds; the start of a server does not wait longer than this. */
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
 * Returns the command to start a supervisor through: systemd-run(1), which creates a transient scope around itself and then becomes the
 * program. What happens to the service's unit then does not affect the supervisor. Returns an empty list if systemd does not run this
 * daemon or refuses a scope (system services); the unit's `KillMode=process` has to suffice then.
 */
export async function supervisorScope(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  if (env.GAMEKEEPER_SERVICE !== 'systemd') return [];
  for (const scope of [
    [...SCOPE, OOM, '--'],
    [...SCOPE, '--'],
  ])
    if (await works(named(scope))) return named(scope);
  return [];
}

/** By its name the supervisor knows that everything else in the scope was started by its game. */
function named([program = '', ...args]: readonly string[]): readonly string[] {
  return [program, `--unit=${SUPERVISOR_SCOPE}${randomUUID()}`, ...args];
}

/** Tries it with a program that does nothing, because a server must start even if no scope can be created. */
function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...args, 'true'], { timeout: ASK_TIMEOUT_MS }, (error) => resolve(error === null));
  });
}
