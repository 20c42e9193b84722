import type { Holder } from '../../shared/domain/access/rights.ts';
import { isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { ActionResponse } from '../../shared/schema/answers.ts';
import { redactForCaller } from '../auth/access.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import { refreshRuntime } from '../upstream/refresh-runtime.ts';
import { type SupervisorCalls, type Supervisors, WITH_PLAYERS } from '../upstream/supervisors.ts';

/** Each resolves once the action has begun. An error names another instance only if `by` sees it. */
export interface LifecycleService {
  start(id: string, by: Holder): Promise<ActionResponse>;
  stop(id: string, by: Holder): Promise<ActionResponse>;
  restart(id: string, by: Holder): Promise<ActionResponse>;
  kill(id: string, by: Holder): Promise<ActionResponse>;
  /** Resolves once it is on record that the server restarts when nobody is online. */
  'restart-when-empty'(id: string, by: Holder): Promise<ActionResponse>;
  /** Resolves once it no longer does. */
  'cancel-restart'(id: string, by: Holder): Promise<ActionResponse>;
}

export interface LifecycleOptions {
  view: InstanceView;
  supervisors: Supervisors;
}

export function createLifecycleService({ view, supervisors }: LifecycleOptions): LifecycleService {
  async function act(
    { id, by, protocol }: { id: string; by: Holder; protocol?: number },
    action: (supervisor: SupervisorCalls) => Promise<void>,
    message: (name: string) => string,
  ): Promise<ActionResponse> {
    const { config } = await view.get(id);
    const supervisor = await supervisors.of(id, protocol);
    const showState = () => refreshRuntime(id, supervisor, view).catch(() => undefined); // the daemon's event brings it a moment later
    try {
      await action(supervisor);
    } catch (error) {
      if (!isGamekeeperError(error, 'worker_unavailable')) await showState();
      throw redactForCaller(by, error);
    }
    await showState();
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
    'restart-when-empty': (id, by) =>
      act(
        { id, by, protocol: WITH_PLAYERS },
        (supervisor) => supervisor.restartWhenEmpty(true),
        (name) => `"${name}" restarts when nobody is online.`,
      ),
    'cancel-restart': (id, by) =>
      act(
        { id, by, protocol: WITH_PLAYERS },
        (supervisor) => supervisor.restartWhenEmpty(false),
        (name) => `"${name}" keeps running.`,
      ),
  };
}
