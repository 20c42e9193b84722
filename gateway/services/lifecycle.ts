import type { ActionResponse } from '../../shared/schema/answers.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { SupervisorCalls, Supervisors } from '../upstream/supervisors.ts';

/** Each resolves once the action has begun (reference-api.md, section 3). */
export interface LifecycleService {
  start(id: string): Promise<ActionResponse>;
  stop(id: string): Promise<ActionResponse>;
  restart(id: string): Promise<ActionResponse>;
  kill(id: string): Promise<ActionResponse>;
}

export interface LifecycleOptions {
  view: InstanceView;
  supervisors: Supervisors;
}

export function lifecycleService({ view, supervisors }: LifecycleOptions): LifecycleService {
  async function act(
    id: string,
    action: (supervisor: SupervisorCalls) => Promise<void>,
    message: (name: string) => string,
  ): Promise<ActionResponse> {
    const { config } = await view.get(id);
    const supervisor = await supervisors.of(id);
    await action(supervisor);
    // So that whoever lists the instances next sees the new state. The daemon's event brings it as well, a moment later.
    await supervisor.status().then(
      (runtime) => view.observe(id, runtime),
      () => undefined,
    );
    return { success: true, message: message(config.name) };
  }

  return {
    start: (id) =>
      act(
        id,
        (supervisor) => supervisor.start(),
        (name) => `"${name}" is starting.`,
      ),
    stop: (id) =>
      act(
        id,
        (supervisor) => supervisor.stop(),
        (name) => `"${name}" is stopping.`,
      ),
    restart: (id) =>
      act(
        id,
        (supervisor) => supervisor.restart(),
        (name) => `"${name}" is restarting.`,
      ),
    kill: (id) =>
      act(
        id,
        (supervisor) => supervisor.kill(),
        (name) => `"${name}" is being killed.`,
      ),
  };
}
