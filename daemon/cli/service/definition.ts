import { Failure } from '../api/failure.ts';

/** What a service manager is to run. All paths are absolute. */
export interface ServiceDefinition {
  /** Program of Node, which runs the daemon. */
  node: string;
  /** The daemon's entry, `dist/daemon/main.js`. */
  entry: string;
  home: string;
  /** Between SIGTERM and SIGKILL: the time in which the servers save their worlds when the machine shuts down. */
  stopSeconds: number;
  /** PATH of the daemon and of what it starts; undefined: the service manager's own. */
  path: string | undefined;
  /** Whether the manager can wait longer from one failing start to the next (systemd from 254 on). */
  growingPauses: boolean;
}

/** In every file that is ours: nothing else is overwritten or removed. */
export const MARK = 'Written by "gamekeeper service install"';

/** The file, and in it the command line, belong to a line-based format: a path that holds such a character cannot be a service's. */
export function requirePlainPaths({ node, entry, home, path = '' }: ServiceDefinition): void {
  for (const value of [node, entry, home, path]) {
    if ([...value].some((character) => character < ' ' || character === '\x7f'))
      throw new Failure(`${JSON.stringify(value)} holds a control character, which no service's path may.`);
  }
}

/** What the daemon reads from its environment; see daemon/shutdown/service-manager.ts. */
export function environmentOf(
  manager: 'systemd' | 'launchd',
  { stopSeconds, path }: ServiceDefinition,
): Record<string, string> {
  return {
    GAMEKEEPER_SERVICE: manager,
    GAMEKEEPER_STOP_SECONDS: String(stopSeconds),
    ...(path !== undefined && { PATH: path }),
  };
}
