import { COMMAND_LINE } from '../../shared/domain/access/local-administrator.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Schedule, ScheduleInput, ScheduleRun } from '../../shared/schema/schedule.ts';
import type { Identity } from '../auth/identity.ts';
import { rightsOn } from '../auth/rights.ts';
import { entityTag, ifMatchHolds } from '../http/entity-tag.ts';
import type { Jobs, ScheduleList, ScheduleOwner } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface VersionedSchedules {
  schedules: Schedule[];
  /** An entity tag, quoted. */
  etag: string;
}

export interface SchedulesService {
  read(id: string): Promise<VersionedSchedules>;
  /** Replaces all. Throws `precondition_failed` if `ifMatch` names another version. */
  write(
    id: string,
    schedules: ScheduleInput[],
    by: { identity: Identity; ifMatch: string | undefined },
  ): Promise<VersionedSchedules>;
  history(id: string): Promise<ScheduleRun[]>;
}

export function createSchedulesService({ view, jobs }: { view: InstanceView; jobs: Jobs }): SchedulesService {
  return {
    async read(id) {
      await view.get(id);
      return versioned(await jobs.call.schedules(id));
    },
    async write(id, schedules, { identity, ifMatch }) {
      await view.get(id);
      // The header may name several versions, or any; jobs compares exactly one.
      const version = ifMatch === undefined ? undefined : (await jobs.call.schedules(id)).version;
      if (version !== undefined && !ifMatchHolds(ifMatch, entityTag(version)))
        throw new GamekeeperError('precondition_failed', 'The schedules have changed since you read them.');
      const by = ownerOf(identity, id);
      return versioned(await jobs.call.setSchedules({ instanceId: id, schedules, by, ...(version && { version }) }));
    },
    async history(id) {
      await view.get(id);
      return jobs.call.scheduleHistory(id);
    },
  };
}

function versioned({ schedules, version }: ScheduleList): VersionedSchedules {
  return { schedules, etag: entityTag(version) };
}

function ownerOf(identity: Identity, instance: string): ScheduleOwner {
  const { username, issuer, token } = identity;
  const kind = identity.kind === 'oauth' ? 'proxy' : username === COMMAND_LINE ? 'local' : 'user';
  return { username, token, kind, issuer, scopes: [...(rightsOn(identity, instance)?.scopes ?? [])] };
}
