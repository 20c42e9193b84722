import type { InstanceView } from './instance-view.ts';
import type { SupervisorCalls } from './supervisors.ts';

/** After this many attempts, the view waits for the daemon's event. */
const MOST_ATTEMPTS = 3;

/**
 * Applies a supervisor's new state at once, so that a caller who lists the instances next sees it. The daemon's event may arrive during the
 * call and be newer than the answer, which would then hide it (for a server that stopped at once). In that case the supervisor is asked again.
 */
export async function refreshRuntime(
  id: string,
  supervisor: Pick<SupervisorCalls, 'status'>,
  view: Pick<InstanceView, 'find' | 'observe'>,
): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const before = view.find(id);
    const runtime = await supervisor.status();
    if (view.find(id) !== before) continue;
    view.observe(id, runtime);
    return;
  }
}
