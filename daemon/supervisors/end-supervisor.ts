import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/**
 * Kills a supervisor's process if it is alive. A check that fails is repeated until `signal` fires; `onUnknown` gets the first failure.
 */
export async function killIfAlive(
  { pid, isAlive }: Pick<SupervisorLink, 'pid' | 'isAlive'>,
  { onUnknown, signal }: { onUnknown: (error: unknown) => void; signal: AbortSignal },
): Promise<void> {
  if (!(await retry(isAlive, { onFailure: onUnknown, signal }))) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has exited since.
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
