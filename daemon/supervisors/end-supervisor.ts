import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** Ends a supervisor's process at once, unless it has ended. `onUnseen` is told of a look that fails, which is repeated until `signal` fires. */
export async function endIfAlive(
  { pid, isAlive }: Pick<SupervisorLink, 'pid' | 'isAlive'>,
  { onUnseen, signal }: { onUnseen: (error: unknown) => void; signal: AbortSignal },
): Promise<void> {
  if (!(await retry(isAlive, { onFailure: onUnseen, signal }))) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since.
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
