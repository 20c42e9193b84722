import { execFile } from 'node:child_process';

/** systemd's own default for TimeoutStopSec, seconds. */
const DEFAULT_STOP_SECONDS = 90;
/**
 * The part of the manager's time limit that is reserved for the daemon's own shutdown: this, or a quarter of the limit if that is less.
 * Milliseconds.
 */
const OWN_END_MS = 5_000;
/** systemctl answers at once, unless the manager is busy shutting down. Milliseconds. */
const ASK_TIMEOUT_MS = 2_000;

/** The service manager that runs this daemon. The definitions of `gamekeeper service install` name it in the environment. */
export interface ServiceManager {
  /** How long the servers may take to stop at a shutdown, milliseconds. */
  readonly stopWithinMs: number;
  /** Whether a SIGTERM means that the machine shuts down or the user logs out, and not only that Gamekeeper should end. */
  isEverythingEnding(): Promise<boolean>;
}

/**
 * Returns the service manager named by `GAMEKEEPER_SERVICE` (`systemd`, `launchd`), if any. `GAMEKEEPER_STOP_SECONDS` is how long it waits
 * between SIGTERM and SIGKILL.
 */
export function serviceManager(env: NodeJS.ProcessEnv): ServiceManager | undefined {
  const { GAMEKEEPER_SERVICE: name, GAMEKEEPER_STOP_SECONDS: seconds } = env;
  if (!name) return undefined;
  const allowedMs = (Number(seconds) > 0 ? Number(seconds) : DEFAULT_STOP_SECONDS) * 1_000;
  return {
    stopWithinMs: allowedMs - Math.min(OWN_END_MS, allowedMs / 4),
    // Only systemd can be asked. With others, every SIGTERM saves the worlds.
    isEverythingEnding: name === 'systemd' ? isSystemdStopping : async () => true,
  };
}

/** systemctl(1), is-system-running: `stopping` once a shutdown of the machine, or of the user's manager at a logout, has begun. */
async function isSystemdStopping(): Promise<boolean> {
  const states = await Promise.all([stateOf('--system'), stateOf('--user')]);
  return states.includes('stopping');
}

function stateOf(manager: '--system' | '--user'): Promise<string> {
  return new Promise((resolve) => {
    // The exit status is 0 only for `running`. If systemctl fails, its output is empty.
    execFile('systemctl', [manager, 'is-system-running'], { timeout: ASK_TIMEOUT_MS }, (_error, stdout) =>
      resolve(stdout.trim()),
    );
  });
}
