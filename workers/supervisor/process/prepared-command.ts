import { asUser, type SystemUser } from '../../../shared/node/processes/system-user.ts';
import { lockLimitOf } from './game-processes.ts';

/** A program by its absolute path. */
export interface Command {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Prefix of the variables that a game of another user gets only when the rights of root are gone. */
const KEPT_FOR_GAME = 'GAMEKEEPER_KEPT_';
const NAMES = 'GAMEKEEPER_NAMES';

/** Gives the variables their names. Each name is checked before; values are not interpreted. */
const WITH_VARIABLES =
  `for GAMEKEEPER_NAME in $${NAMES}; do eval "export $GAMEKEEPER_NAME=\\"\\$${KEPT_FOR_GAME}$GAMEKEEPER_NAME\\""; ` +
  `unset "${KEPT_FOR_GAME}$GAMEKEEPER_NAME"; done; unset ${NAMES} GAMEKEEPER_NAME; exec "$@"`;

/**
 * Prepares what the game and its children inherit, within the same process. As with nohup(1), an ignored SIGHUP stays ignored over exec
 * (node-pty resets what we ignore ourselves): a game that loses its terminal gets a SIGTERM and time to save, and a JVM survives (HotSpot
 * installs no handler for a SIGHUP that it finds ignored). The limit of file locks marks the run: see `lockLimitOf`. Its option is -w in dash
 * and BusyBox, -x in bash.
 *
 * With a user, the game runs as that user, who also gets the terminal. What root executes on the way does not see the game's variables:
 * with LD_LIBRARY_PATH it would load programs from the game's own folder.
 */
export function preparedCommand(
  command: Command,
  { mark, user }: { mark: string; user?: SystemUser | undefined },
): Command {
  const limit = process.platform === 'linux' ? lockLimitOf(mark) : undefined;
  const setLimit = limit === undefined ? '' : `{ ulimit -w ${limit} || ulimit -x ${limit}; } 2>/dev/null; `;
  const { program, args, env } = user ? ofUser(command, user) : command;
  const giveTerminal = user ? `chown ${user.uid} /proc/self/fd/0; ` : '';
  const script = `trap "" HUP; ${setLimit}${giveTerminal}exec "$@"`;
  return { program: '/bin/sh', args: ['-c', script, 'sh', program, ...args], env };
}

function ofUser({ program, args, env }: Command, user: SystemUser): Command {
  const given = Object.entries(env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const [first, ...line] = asUser(user, ['/bin/sh', '-c', WITH_VARIABLES, 'sh', program, ...args]);
  return {
    program: first,
    args: line,
    env: {
      ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
      ...Object.fromEntries(given.map(([name, value]) => [KEPT_FOR_GAME + name, value])),
      [NAMES]: given.map(([name]) => name).join(' '),
    },
  };
}
