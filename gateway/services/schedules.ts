import { createHash } from 'node:crypto';
import { COMMAND_LINE } from '../../shared/domain/access/local-administrator.ts';
import { type Holder, rightsOn } from '../../shared/domain/access/rights.ts';
import { entityTag, ifMatchHolds } from '../../shared/domain/http/entity-tag.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Schedule, ScheduleInput, ScheduleRun } from '../../shared/schema/schedule.ts';
import { MASKED } from '../../shared/schema/secret.ts';
import type { Identity } from '../auth/identity.ts';
import type { Jobs, ScheduleList, ScheduleOwner } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface VersionedSchedules {
  schedules: Schedule[];
  /** An entity tag, quoted. */
  etag: string;
}

export interface SchedulesService {
  /** Commands are masked for callers who may not send any: they may hold passwords. */
  read(id: string, by: Holder): Promise<VersionedSchedules>;
  /** Replaces all. A masked command stays as it is. Throws `precondition_failed` if `ifMatch` names another version. */
  write(
    id: string,
    schedules: ScheduleInput[],
    by: { identity: Identity; ifMatch: string | undefined },
  ): Promise<VersionedSchedules>;
  history(id: string): Promise<ScheduleRun[]>;
}

export function createSchedulesService({ view, jobs }: { view: InstanceView; jobs: Jobs }): SchedulesService {
  return {
    async read(id, by) {
      await view.get(id);
      const list = await jobs.call.schedules(id);
      return versioned(rightsOn(by, id)?.scopes.has('servers:write') ? list : withoutCommands(list));
    },
    async write(id, schedules, { identity, ifMatch }) {
      await view.get(id);
      // The header may name several versions, or any; jobs compares exactly one.
      const isCompared = ifMatch !== undefined || schedules.some(hasMaskedCommand);
      const before = isCompared ? await jobs.call.schedules(id) : undefined;
      if (before && !ifMatchHolds(ifMatch, entityTag(before.version)))
        throw new GamekeeperError('precondition_failed', 'The schedules have changed since you read them.');
      const request = { instanceId: id, schedules: withCommands(schedules, before), by: ownerOf(identity, id) };
      return versioned(await jobs.call.setSchedules({ ...request, ...(before && { version: before.version }) }));
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

/** The version is a hash of the commands as well, by which they could be guessed. */
function withoutCommands({ schedules }: ScheduleList): ScheduleList {
  const masked = schedules.map((schedule): Schedule => {
    const { action } = schedule;
    return action.type === 'command' ? { ...schedule, action: { ...action, command: MASKED } } : schedule;
  });
  return { schedules: masked, version: createHash('sha256').update(JSON.stringify(masked)).digest('hex') };
}

function hasMaskedCommand({ action }: ScheduleInput): boolean {
  return action.type === 'command' && action.command === MASKED;
}

/** Puts the stored commands in place of masked ones. */
function withCommands(schedules: ScheduleInput[], before: ScheduleList | undefined): ScheduleInput[] {
  const known = new Map(before?.schedules.map(({ id, action }) => [id, action]));
  return schedules.map((schedule) => {
    if (!hasMaskedCommand(schedule)) return schedule;
    const stored = schedule.id === undefined ? undefined : known.get(schedule.id);
    if (stored?.type === 'command') return { ...schedule, action: stored };
    throw new GamekeeperError('invalid_request', `The schedule "${schedule.name}" needs its command.`, {
      resolution: `Replace "${MASKED}" by the command.`,
    });
  });
}

function ownerOf(identity: Identity, instance: string): ScheduleOwner {
  const { username, oauth, token } = identity;
  const kind = identity.kind === 'oauth' ? 'proxy' : username === COMMAND_LINE ? 'local' : 'user';
  const grant = oauth?.grantId === undefined ? undefined : { id: oauth.grantId, client: oauth.client };
  const scopes = [...(rightsOn(identity, instance)?.scopes ?? [])];
  return { username, token, kind, issuer: oauth?.issuer, grant, scopes };
}
