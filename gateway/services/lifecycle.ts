import type { ActionResponse } from '../../shared/schema/answers.ts';
import type { Holder } from '../auth/rights.ts';
import { toldTo } from '../auth/told-to.ts';
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

export function lifecycleService({ view, supervisors }: LifecycleOptions): LifecycleService {
  async function act(
    { id, by }: { id: string; by: Holder },
    action: (supervisor: SupervisorCalls) => Promise<void>,
    message: (name: string) => string,
  ): Promise<ActionResponse> {
    const { config } = await view.get(id);
    const supervisor = await supervisors.of(id);
    await action(supervisor).catch((error: unknown) => {
      throw toldTo(by, error);
    });
    // So that whoever lists the instances next sees the new state. The daemon's event brings it as well, a moment later.
    await supervisor.status().then(
      (runtime) => view.observe(id, runtime),
      () => undefined,
    );
    return { success: true, message: message(config.name) };
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
