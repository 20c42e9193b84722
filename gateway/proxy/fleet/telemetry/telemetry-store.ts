import { sql } from 'kysely';
import { type Database, toSeconds } from '../../store/database.ts';
import { HOUR_S, hourRows, latestRow, type Received, sampleRow } from './rows.ts';

const RAW_S = 48 * HOUR_S;
const HOURLY_S = 90 * 24 * HOUR_S;
/** Rows of one statement. Both databases limit its parameters. */
const MOST_ROWS = 500;
/** Rows that one statement deletes, so that others do not wait for it long. */
const DELETED_AT_ONCE = 5_000;

export interface TelemetryStore {
  /** Reports of daemons that are no longer registered are dropped. */
  write(reports: readonly Received[]): Promise<void>;
  /** Deletes everything that a daemon has reported. */
  forget(daemonId: string): Promise<void>;
  /** Deletes samples after two days and hours after 90 days. */
  removeOld(): Promise<void>;
}

/** Keeps reports of daemons. `now` in milliseconds. */
export function createTelemetryStore(database: Database, now: () => number): TelemetryStore {
  async function writeSome(reports: readonly Received[]): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const ids = [...new Set(reports.map(({ daemonId }) => daemonId))];
      const rows = await transaction.selectFrom('daemon').select('id').where('id', 'in', ids).execute();
      const registered = new Set(rows.map(({ id }) => id));
      const known = reports.filter(({ daemonId }) => registered.has(daemonId));
      if (known.length === 0) return;
      const newest = new Map(known.map((received) => [received.daemonId, received]));
      await transaction
        .insertInto('telemetry')
        .values([...newest.values()].map(latestRow))
        .onConflict((conflict) =>
          conflict
            .column('daemon_id')
            .doUpdateSet((row) => ({
              received_at: row.ref('excluded.received_at'),
              version: row.ref('excluded.version'),
              health: row.ref('excluded.health'),
              instances: row.ref('excluded.instances'),
              running: row.ref('excluded.running'),
              crashed: row.ref('excluded.crashed'),
              players: row.ref('excluded.players'),
              cpu_percent: row.ref('excluded.cpu_percent'),
              memory_used: row.ref('excluded.memory_used'),
              memory_total: row.ref('excluded.memory_total'),
              disk_free: row.ref('excluded.disk_free'),
              disk_total: row.ref('excluded.disk_total'),
              backup_at: row.ref('excluded.backup_at'),
              detail: row.ref('excluded.detail'),
            }))
            // Another replica may have had a newer one.
            .whereRef('telemetry.received_at', '<=', 'excluded.received_at'),
        )
        .execute();
      await writeHistory(transaction, known);
    });
  }

  return {
    async write(reports) {
      // In this order everywhere, so that replicas do not wait for each other in a circle.
      const sorted = [...reports].sort((a, b) => (a.daemonId === b.daemonId ? a.at - b.at : compare(a, b)));
      for (let from = 0; from < sorted.length; from += MOST_ROWS) {
        const some = sorted.slice(from, from + MOST_ROWS);
        // A daemon may be removed between two statements; then it is no longer registered the second time.
        await writeSome(some).catch(() => writeSome(some));
      }
    },
    async forget(daemonId) {
      const forgotten = await database
        .deleteFrom('telemetry')
        .where('daemon_id', '=', daemonId)
        .returning('daemon_id')
        .execute();
      // Most daemons never reported anything.
      if (forgotten.length === 0) return;
      await database.deleteFrom('telemetry_sample').where('daemon_id', '=', daemonId).execute();
      await database.deleteFrom('telemetry_hour').where('daemon_id', '=', daemonId).execute();
    },
    async removeOld() {
      const at = toSeconds(now());
      await removeBefore(database, { table: 'telemetry_sample', column: 'at', time: at - RAW_S });
      await removeBefore(database, { table: 'telemetry_hour', column: 'hour', time: at - HOURLY_S });
    },
  };
}

async function writeHistory(database: Database, reports: readonly Received[]): Promise<void> {
  const samples = reports.map(sampleRow);
  await database
    .insertInto('telemetry_sample')
    .values(samples)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database
    .insertInto('telemetry_hour')
    .values(hourRows(samples))
    .onConflict((conflict) =>
      conflict.columns(['daemon_id', 'hour']).doUpdateSet({
        samples: sql`telemetry_hour.samples + excluded.samples`,
        players_sum: sql`telemetry_hour.players_sum + excluded.players_sum`,
        players_max: larger('players_max'),
        cpu_sum: sql`telemetry_hour.cpu_sum + excluded.cpu_sum`,
        cpu_max: larger('cpu_max'),
        memory_sum: sql`telemetry_hour.memory_sum + excluded.memory_sum`,
        memory_max: larger('memory_max'),
      }),
    )
    .execute();
}

/** `max` of two values has another name in PostgreSQL. */
function larger(column: string) {
  const [old, next] = [sql.ref(`telemetry_hour.${column}`), sql.ref(`excluded.${column}`)];
  return sql<number>`CASE WHEN ${old} > ${next} THEN ${old} ELSE ${next} END`;
}

async function removeBefore(
  database: Database,
  { table, column, time }: { table: 'telemetry_sample' | 'telemetry_hour'; column: 'at' | 'hour'; time: number },
): Promise<void> {
  const [of, by] = [sql.table(table), sql.ref(column)];
  for (;;) {
    const removed = await sql`DELETE FROM ${of} WHERE (daemon_id, ${by}) IN
      (SELECT daemon_id, ${by} FROM ${of} WHERE ${by} < ${time} LIMIT ${DELETED_AT_ONCE})`.execute(database);
    if (Number(removed.numAffectedRows ?? 0) < DELETED_AT_ONCE) return;
  }
}

function compare(a: Received, b: Received): number {
  return a.daemonId < b.daemonId ? -1 : 1;
}
