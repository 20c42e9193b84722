import { statusOf } from '../../shared/domain/phase.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { HealthResponse } from '../../shared/schema/answers.ts';
import type { InstanceRecord, InstanceView } from '../upstream/instance-view.ts';
import type { Liveness } from '../upstream/liveness.ts';

export interface HealthService {
  /**
   * The HealthResponse as JSON text, made when something changes and not per request; at once where the daemon has just been heard.
   * Throws `internal_error` when it does not answer within a second.
   */
  health(now: number): string | Promise<string>;
}

export function healthService({ view, liveness }: { view: InstanceView; liveness: Liveness }): HealthService {
  let active = 0;
  let text = describe(active);
  for (const record of view.all()) active += running(record);
  view.onChange(({ before, after }) => {
    const change = running(after) - running(before);
    if (change === 0) return;
    active += change;
    text = describe(active);
  });
  return {
    health: (now) =>
      liveness.isFresh(now)
        ? text
        : liveness.prove(now).then(
            () => text,
            (cause: unknown) => {
              throw new GamekeeperError('internal_error', 'The daemon does not answer.', { cause });
            },
          ),
  };
}

function running(record: InstanceRecord | undefined): 0 | 1 {
  return record && statusOf(record.runtime.phase) === 'running' ? 1 : 0;
}

function describe(activeInstances: number): string {
  return JSON.stringify({
    status: 'ok',
    version: VERSION,
    platform: process.platform,
    activeInstances,
  } satisfies HealthResponse);
}
