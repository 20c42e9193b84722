import { EventEmitter } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import type { ScheduleRun } from '../../../shared/schema/schedule.ts';

/** Runs to keep for each instance. */
const MOST_RUNS = 200;

/** The history of runs: the newest of each instance. Kept in the database. */
export interface RunTable {
  /** Returns the number to call `end` with. */
  add(instanceId: string, run: ScheduleRun): number;
  end(number: number, instanceId: string, run: ScheduleRun): void;
  /** Newest first. */
  of(instanceId: string): ScheduleRun[];
  /** Records runs as failed that were in progress when the table was opened. May be called again. */
  endInterrupted(at: string): void;
  forget(instanceId: string): void;
  /** Calls `listener` when a run starts and when it ends. Returns a function that unsubscribes. */
  onChange(listener: (instanceId: string, run: ScheduleRun) => void): () => void;
}

export function createRunTable(database: DatabaseSync): RunTable {
  const events = new EventEmitter().setMaxListeners(0);
  const add = database.prepare('INSERT INTO schedule_run (instance_id, run) VALUES (?, ?)');
  const update = database.prepare('UPDATE schedule_run SET run = ? WHERE number = ?');
  const prune = database.prepare(
    `DELETE FROM schedule_run WHERE instance_id = ?1 AND number <= (
       SELECT number FROM schedule_run WHERE instance_id = ?1 ORDER BY number DESC LIMIT 1 OFFSET ${MOST_RUNS})`,
  );
  const of = database.prepare('SELECT run FROM schedule_run WHERE instance_id = ? ORDER BY number DESC');
  const interrupted = database.prepare(
    "SELECT number, run FROM schedule_run WHERE run ->> 'result' = 'running' AND number <= ?",
  );
  const newest = Number(database.prepare('SELECT max(number) AS number FROM schedule_run').get()?.number ?? 0);
  const forget = database.prepare('DELETE FROM schedule_run WHERE instance_id = ?');
  return {
    add(instanceId, run) {
      const { lastInsertRowid } = add.run(instanceId, JSON.stringify(run));
      prune.run(instanceId);
      events.emit('change', instanceId, run);
      return Number(lastInsertRowid);
    },
    end(number, instanceId, run) {
      update.run(JSON.stringify(run), Number(number));
      events.emit('change', instanceId, run);
    },
    of: (instanceId) => of.all(instanceId).map(({ run }) => JSON.parse(String(run)) as ScheduleRun),
    endInterrupted(at) {
      for (const { number, run } of interrupted.all(newest)) {
        const cut = JSON.parse(String(run)) as ScheduleRun;
        const reason = 'Gamekeeper ended during the run.';
        update.run(
          JSON.stringify({ ...cut, endedAt: at, result: 'failed', reason } satisfies ScheduleRun),
          Number(number),
        );
      }
    },
    forget: (instanceId) => void forget.run(instanceId),
    onChange(listener) {
      events.on('change', listener);
      return () => events.off('change', listener);
    },
  };
}
