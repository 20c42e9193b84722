import { Failure } from '../api/failure.ts';

/** What a service manager should run. All paths are absolute. */
export interface ServiceDefinition {
  /** The program of Node. */
  node: string;
  /** The daemon's entry, `dist/daemon/main.js`. */
  entry: string;
  home: string;
  /** Time between SIGTERM and SIGKILL, in which the servers save their worlds when the machine shuts down. */
  stopSeconds: number;
  /** PATH of the daemon; `undefined`: the service manager's own. */
  path: string | undefined;
  /** Whether systemd can increase the pause after each failed start (254 and newer). */
  growingPauses: boolean;
}

/** Marks the files that Gamekeeper wrote. No other file is overwritten or removed. */
export const MARK = 'Written by "gamekeeper service install"';

/** The files have line-based formats. Throws a Failure for paths with control characters. */
export function requirePlainPaths({ node, entry, home, path = '' }: ServiceDefinition): void {
  for (const value of [node, entry, home, path]) {
    if ([...value].some((character) => character < ' ' || character === '\x7f'))
      throw new Failure(`${JSON.stringify(value)} contains a control character, which a service's path cannot.`);
  }
}

/** Returns the environment of the daemon; see daemon/shutdown/service-manager.ts. */
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
