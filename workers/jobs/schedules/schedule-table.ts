import type { DatabaseSync } from 'node:sqlite';
import type { ScheduleOwner } from '../../../shared/contract/jobs.ts';
import type { Schedule } from '../../../shared/schema/schedule.ts';
import { inTransaction } from '../resources/database.ts';

export type ScheduleDefinition = Pick<
  Schedule,
  'id' | 'name' | 'enabled' | 'cron' | 'timeZone' | 'action' | 'condition' | 'missed'
>;

export interface ScheduleKey {
  instanceId: string;
  scheduleId: string;
}

export interface StoredSchedule {
  instanceId: string;
  /** When the instance was created: a new instance with the same id does not inherit the schedule. */
  instanceSince: string;
  definition: ScheduleDefinition;
  /** `account`: when the user was created, to distinguish a new user with the same name. */
  owner: ScheduleOwner & { account?: string | undefined };
  savedAt: string;
  /** Times up to this one have been handled. Milliseconds since the epoch. */
  consideredAt: number;
}

/** The stored schedules. Changes are on disk when a method returns. */
export interface ScheduleTable {
  all(): StoredSchedule[];
  of(instanceId: string): StoredSchedule[];
  replace(instanceId: string, schedules: readonly StoredSchedule[]): void;
  setConsidered(key: ScheduleKey, at: number): void;
}

export function createScheduleTable(database: DatabaseSync): ScheduleTable {
  const select = 'SELECT * FROM schedule';
  const all = database.prepare(`${select} ORDER BY instance_id, position`);
  const of = database.prepare(`${select} WHERE instance_id = ? ORDER BY position`);
  const clear = database.prepare('DELETE FROM schedule WHERE instance_id = ?');
  const insert = database.prepare(
    `INSERT INTO schedule (instance_id, schedule_id, position, instance_since, definition, owner, saved_at, considered_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setConsidered = database.prepare(
    'UPDATE schedule SET considered_at = ? WHERE instance_id = ? AND schedule_id = ?',
  );
  return {
    all: () => all.all().map(toSchedule),
    of: (instanceId) => of.all(instanceId).map(toSchedule),
    replace(instanceId, schedules) {
      inTransaction(database, () => {
        clear.run(instanceId);
        schedules.forEach(({ definition, instanceSince, owner, savedAt, consideredAt }, position) => {
          const texts = [JSON.stringify(definition), JSON.stringify(owner)] as const;
          insert.run(instanceId, definition.id, position, instanceSince, ...texts, savedAt, consideredAt);
        });
      });
    },
    setConsidered: ({ instanceId, scheduleId }, at) => void setConsidered.run(at, instanceId, scheduleId),
  };
}

function toSchedule(row: Record<string, unknown>): StoredSchedule {
  return {
    instanceId: String(row.instance_id),
    instanceSince: String(row.instance_since),
    definition: JSON.parse(String(row.definition)) as ScheduleDefinition,
    owner: JSON.parse(String(row.owner)) as StoredSchedule['owner'],
    savedAt: String(row.saved_at),
    consideredAt: Number(row.considered_at),
  };
}
