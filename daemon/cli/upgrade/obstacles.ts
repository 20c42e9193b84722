import type { InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { readLivingRecord } from '../../../shared/node/processes/process-record.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { Release } from '../../startup/release.ts';
import { isNewer, type Schema } from '../../store/schema.ts';

/** What decides whether an upgrade is possible. */
export interface Situation extends Schema {
  /** The running servers. */
  running: { id: string; name: string }[];
  /** The living supervisors and their protocols. */
  supervisors: { name: string; protocol: number }[];
  jobs: readonly Pick<Job, 'kind' | 'instanceId' | 'state'>[];
}

/** Returns the running servers and supervisors of a data directory. */
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

/** Returns the reasons why a version cannot take over now, each with what to do. */
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
        `The supervisor of ${name} speaks protocol ${protocol}, and ${version} only ${oldest} to ${newest}. Stop that server first.`,
    ),
    ...busy.map(({ kind, instanceId }) => `A ${kind} of ${instanceId} is running. Wait until it has finished.`),
    ...(isNewer(now, release)
      ? [`The database was written by a newer version than ${version}. Upgrade to that version or a newer one.`]
      : []),
  ];
}
