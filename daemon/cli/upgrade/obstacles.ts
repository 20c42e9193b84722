import type { InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import { isLive } from '../../../shared/domain/phase.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { readLivingRecord } from '../../../shared/node/processes/process-record.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { Release } from '../../startup/release.ts';
import { isNewer, type Schema } from '../../store/schema.ts';

/** What a hand-over has to do with. */
export interface Situation extends Schema {
  /** Names of the servers that run, and are to go on. */
  running: { id: string; name: string }[];
  /** Supervisors that live, with the protocol that each speaks. */
  supervisors: { name: string; protocol: number }[];
  jobs: readonly Pick<Job, 'kind' | 'instanceId' | 'state'>[];
}

/** The servers and supervisors of a data directory whose daemon runs. */
export async function lookAround(
  home: Home,
  instances: readonly InstanceRecord[],
): Promise<Pick<Situation, 'running' | 'supervisors'>> {
  const supervisors = await Promise.all(
    instances.map(async ({ config: { id, name } }) => {
      const record = await readLivingRecord(home.supervisorRecord(id));
      return record ? [{ name, protocol: record.protocol }] : [];
    }),
  );
  return {
    running: instances.flatMap(({ config: { id, name }, runtime }) => (isLive(runtime.phase) ? [{ id, name }] : [])),
    supervisors: supervisors.flat(),
  };
}

/** Why this version cannot take over now, each as a sentence with what to do. Empty: it can. */
export function obstaclesTo(release: Release, now: Situation): string[] {
  const {
    version,
    supervisors: { oldest, newest },
  } = release;
  const strangers = now.supervisors.filter(({ protocol }) => protocol < oldest || protocol > newest);
  const busy = now.jobs.filter(({ state }) => state === 'running');
  return [
    ...strangers.map(
      ({ name, protocol }) =>
        `The supervisor of ${name} speaks protocol ${protocol}, and ${version} only ${oldest} to ${newest}: stop that server first.`,
    ),
    ...busy.map(
      ({ kind, instanceId }) => `A ${kind} of ${instanceId} is under way, which would be cut off: wait for its end.`,
    ),
    ...(isNewer(now, release)
      ? [`The database was written by a newer version than ${version}, which cannot use it: take that one, or a newer.`]
      : []),
  ];
}
