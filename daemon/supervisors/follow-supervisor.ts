import { setTimeout as delay } from 'node:timers/promises';
import { type BackOff, backOffDelay } from '../../shared/domain/back-off.ts';
import type { InstanceRuntime } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** Between attempts to reach a supervisor that lives but does not answer. */
const RECONNECT: BackOff = { firstMs: 50, maxMs: 5_000 };

/** What there is to be of a SupervisorLink. */
export interface FollowedLink extends Pick<SupervisorLink, 'isAlive'> {
  client: {
    call: { watch(input: undefined, options: { signal: AbortSignal }): AsyncIterable<InstanceRuntime> };
  };
}

export interface FollowOptions {
  observe: (runtime: InstanceRuntime) => void;
  /** It cannot be looked whether it lives; that is tried again. */
  onUnseen: (error: unknown) => void;
  signal: AbortSignal;
}

/** Reports what a supervisor observes. Resolves when its process is gone, or when `signal` says to let it be. */
export async function followSupervisor(
  link: FollowedLink,
  { observe, onUnseen, signal }: FollowOptions,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      for await (const runtime of link.client.call.watch(undefined, { signal })) {
        failures = 0;
        observe(runtime);
      }
    } catch (error) {
      // It went away or is stuck: which of the two, its process tells.
      if (!(error instanceof GamekeeperError) && !signal.aborted) throw error;
    }
    if (!(await retry(link.isAlive, { onFailure: onUnseen, signal }))) return;
    const pause = backOffDelay(RECONNECT, Math.max(1, failures), 0);
    await delay(pause, undefined, { signal }).catch(() => undefined); // Cut short only by the signal.
  }
}
