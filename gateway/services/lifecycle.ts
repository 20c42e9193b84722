import type { ActionResponse } from '../../shared/schema/answers.ts';
import { redactForCaller } from '../auth/access.ts';
import type { Holder } from '../auth/rights.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { SupervisorCalls, Supervisors } from '../upstream/supervisors.ts';

/** Each resolves once the action has begun (reference-api.md, section 3). A failure names other instances only where `by` sees them. */
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

/** A server that changes faster than it can be asked is left to the daemon's events. */
const MOST_OVERTAKEN = 3;

export function createLifecycleService({ view, supervisors }: LifecycleOptions): LifecycleService {
  async function act(
    { id, by }: { id: string; by: Holder },
    action: (supervisor: SupervisorCalls) => Promise<void>,
    message: (name: string) => string,
  ): Promise<ActionResponse> {
    const { config } = await view.get(id);
    const supervisor = await supervisors.of(id);
    await action(supervisor).catch((error: unknown) => {
      throw redactForCaller(by, error);
    });
    await showNow(id, supervisor).catch(() => undefined); // the daemon's event brings it as well, a moment later
    return { success: true, message: message(config.name) };
  }

  /**
   * Takes over what the supervisor says, so that whoever lists the instances next sees the new state. An answer that the daemon's event has
   * overtaken may be older than that and would stay, as of a server that has stopped at once: then it is asked for again.
   */
  async function showNow(id: string, supervisor: SupervisorCalls): Promise<void> {
    for (let attempt = 0; attempt < MOST_OVERTAKEN; attempt++) {
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
