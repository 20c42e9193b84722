import { setTimeout as delay } from 'node:timers/promises';
import { type BackOff, backOffDelay } from '../../shared/domain/back-off.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** Between attempts to reach a supervisor that lives but does not answer. */
const RECONNECT: BackOff = { firstMs: 50, maxMs: 5_000 };

export interface FollowedLink extends Pick<SupervisorLink, 'isAlive'> {
  client: {
    call: { watch(input: undefined, options: { signal: AbortSignal }): AsyncIterable<InstanceRuntime> };
  };
}

export interface FollowOptions {
  observe: (runtime: InstanceRuntime) => void;
  /** Called when the check whether it is alive failed. The check is repeated. */
  onUnknown: (error: unknown) => void;
  signal: AbortSignal;
}

/** Forwards every state that a supervisor reports. Resolves when its process is gone or `signal` fires. */
export async function followSupervisor(
  link: FollowedLink,
  { observe, onUnknown, signal }: FollowOptions,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      for await (const runtime of link.client.call.watch(undefined, { signal })) {
        failures = 0;
        observe(runtime);
      }
    } catch (error) {
      // It is gone or hangs; the check below shows which.
      if (!(error instanceof GamekeeperError) && !signal.aborted) throw error;
    }
    if (!(await retry(link.isAlive, { onFailure: onUnknown, signal }))) return;
    const pause = backOffDelay(RECONNECT, Math.max(1, failures), 0);
    await delay(pause, undefined, { signal }).catch(() => undefined); // rejects only if aborted
  }
}
