import { statusOf } from '../../shared/domain/instance/phase.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { HealthResponse } from '../../shared/schema/answers.ts';
import type { InstanceRecord, InstanceView } from '../upstream/instance-view.ts';
import type { Liveness } from '../upstream/liveness.ts';

export interface HealthService {
  /** Returns the response as JSON, which is built on each change and not per request; `undefined` if the daemon must be asked first. */
  known(now: number): string | undefined;
  /** Asks the daemon unless it answered recently. Throws `internal_error` if it does not answer within a second. */
  health(now: number): Promise<HealthResponse>;
}

export function createHealthService({ view, liveness }: { view: InstanceView; liveness: Liveness }): HealthService {
  let active = 0;
  for (const record of view.all()) active += running(record);
  let text = JSON.stringify(describe(active));
  view.onChange(({ before, after }) => {
    const change = running(after) - running(before);
    if (change === 0) return;
    active += change;
    text = JSON.stringify(describe(active));
  });
  return {
    known: (now) => (liveness.isFresh(now) ? text : undefined),
    async health(now) {
      try {
        await liveness.prove(now);
      } catch (cause) {
        throw new GamekeeperError('internal_error', 'The daemon does not answer.', { cause });
      }
      return describe(active);
    },
  };
}

function running(record: InstanceRecord | undefined): 0 | 1 {
  return record && statusOf(record.runtime.phase) === 'running' ? 1 : 0;
}

function describe(activeInstances: number): HealthResponse {
  return { status: 'ok', version: VERSION, platform: process.platform, activeInstances };
}
