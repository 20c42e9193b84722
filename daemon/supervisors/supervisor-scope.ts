import { execFile } from 'node:child_process';

/** systemd answers in milliseconds; a server's start does not wait longer for it. */
const ASK_TIMEOUT_MS = 2_000;

/** As `gamekeeper service install` names it. */
const UNIT = 'gamekeeper.service';

const SCOPE: readonly string[] = [
  'systemd-run',
  ...['--user', '--scope', '--quiet', '--collect', '--description=A game server of Gamekeeper'],
  // What is started later is stopped earlier: the daemon has stopped the servers before their scopes are ended.
  `--property=Before=${UNIT}`,
];

/** An OOM kill in a scope would end the rest of it, too, from version 253 on, where this property came. */
const OOM = '--property=OOMPolicy=continue';

/**
 * What to start a supervisor through, so that what becomes of the service's unit does not touch it: a transient scope of its own, which
 * systemd-run(1) makes around itself before it becomes the program. Empty where systemd does not run this daemon, or makes none for it (a
 * service of the machine): then the unit's `KillMode=process` has to do.
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

/** Tried with a program that does nothing: a server whose scope cannot be made must start all the same. */
function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...args, 'true'], { timeout: ASK_TIMEOUT_MS }, (error) => resolve(error === null));
  });
}
