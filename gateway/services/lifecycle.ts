import type { Holder } from '../../shared/domain/access/rights.ts';
import { isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { ActionResponse } from '../../shared/schema/answers.ts';
import { redactForCaller } from '../auth/access.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { SupervisorCalls, Supervisors } from '../upstream/supervisors.ts';

/** Each resolves once the action has begun. An error names another instance only if `by` sees it. */
export interface LifecycleService {
  start(id: string, by: Holder): Promise<ActionResponse>;
  stop(id: string, by: Holder): Promise<ActionResponse>;
  restart(id: string, by: Holder): Promise<ActionResponse>;
  kill(id: string, by: Holder): Promise<ActionResponse>;
}

export interface LifecycleOptions {
  view: InstanceView;
  supervisors: Supervisors;
}

/** After this many attempts, the view waits for the daemon's event. */
const MOST_ATTEMPTS = 3;

export function createLifecycleService({ view, supervisors }: LifecycleOptions): LifecycleService {
  async function act(
    { id, by }: { id: string; by: Holder },
    action: (supervisor: SupervisorCalls) => Promise<void>,
    message: (name: string) => string,
  ): Promise<ActionResponse> {
    const { config } = await view.get(id);
    const supervisor = await supervisors.of(id);
    const showState = () => refreshView(id, supervisor).catch(() => undefined); // the daemon's event brings it a moment later
    try {
      await action(supervisor);
    } catch (error) {
      if (!isGamekeeperError(error, 'worker_unavailable')) await showState();
      throw redactForCaller(by, error);
    }
    await showState();
    return { success: true, message: message(config.name) };
  }

  /**
   * Applies the new state at once, so that a caller who lists the instances next sees it, be it a failed start. The daemon's event may arrive during the call and
   * be newer than the answer, which would then hide it (for a server that stopped at once). In that case the supervisor is asked again.
   */
  async function refreshView(id: string, supervisor: SupervisorCalls): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const before = view.find(id);
      const runtime = await supervisor.status();
      if (view.find(id) !== before) continue;
      view.observe(id, runtime);
      return;
    }
  }

  return {
    start: (id, by) =>
      act(
        { id, by },
        (supervisor) => supervisor.start(),
        (name) => `"${name}" is starting.`,
      ),
    stop: (id, by) =>
      act(
        { id, by },
        (supervisor) => supervisor.stop(),
        (name) => `"${name}" is stopping.`,
      ),
    restart: (id, by) =>
      act(
        { id, by },
        (supervisor) => supervisor.restart(),
        (name) => `"${name}" is restarting.`,
      ),
    kill: (id, by) =>
      act(
        { id, by },
        (supervisor) => supervisor.kill(),
        (name) => `"${name}" is being killed.`,
      ),
  };
}
