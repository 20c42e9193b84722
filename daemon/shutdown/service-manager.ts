import { execFile } from 'node:child_process';

/** systemd's own default for TimeoutStopSec, seconds. */
const DEFAULT_STOP_SECONDS = 90;
/** Of the manager's time this much, or a quarter of it if that is less, is for our own end. Milliseconds. */
const OWN_END_MS = 5_000;
/** systemctl answers at once; a manager that is busy shutting down is not waited for longer. Milliseconds. */
const ASK_TIMEOUT_MS = 2_000;

/** What runs this daemon as a service; the definitions that `gamekeeper service install` writes say so in the environment. */
export interface ServiceManager {
  /** How long the servers may take to stop when everything ends, milliseconds. */
  readonly stopWithinMs: number;
  /** Whether a SIGTERM means that the machine, or everything of this user, is ending, rather than Gamekeeper alone. */
  isEverythingEnding(): Promise<boolean>;
}

/**
 * Reads `GAMEKEEPER_SERVICE` (`systemd`, `launchd`, ...) and `GAMEKEEPER_STOP_SECONDS` (how long the manager waits between SIGTERM and
 * SIGKILL). `undefined`: nothing of the kind runs this daemon.
 */
export function serviceManager(env: NodeJS.ProcessEnv): ServiceManager | undefined {
  const { GAMEKEEPER_SERVICE: name, GAMEKEEPER_STOP_SECONDS: seconds } = env;
  if (!name) return undefined;
  const allowedMs = (Number(seconds) > 0 ? Number(seconds) : DEFAULT_STOP_SECONDS) * 1_000;
  return {
    stopWithinMs: allowedMs - Math.min(OWN_END_MS, allowedMs / 4),
    // Only systemd can be asked. Others do not tell an end of the service from the end of everything: then worlds are saved in any case.
    isEverythingEnding: name === 'systemd' ? isSystemdStopping : async () => true,
  };
}

/** systemctl(1), is-system-running: `stopping` once a shutdown has begun, of the machine, or of the user's own manager at a logout. */
async function isSystemdStopping(): Promise<boolean> {
  const states = await Promise.all([stateOf('--system'), stateOf('--user')]);
  return states.includes('stopping');
}

function stateOf(manager: '--system' | '--user'): Promise<string> {
  return new Promise((resolve) => {
    // Its exit status is 0 for `running` only; one that cannot be asked has no state.
    execFile('systemctl', [manager, 'is-system-running'], { timeout: ASK_TIMEOUT_MS }, (_error, stdout) =>
      resolve(stdout.trim()),
    );
  });
}
