import { randomUUID } from 'node:crypto';
import { latestRow } from '../../../gateway/proxy/fleet/telemetry/rows.ts';
import type { Database } from '../../../gateway/proxy/store/database.ts';
import { reportedInstance, telemetryReport } from './telemetry-report.ts';

/** Adds daemons `node-1`, `node-2`, … that have reported: the n-th has n players, and the label region=eu or region=us. */
export async function seedFleet(
  database: Database,
  { account, count, at }: { account: string; count: number; at: number },
): Promise<string[]> {
  const { id: account_id } = await database
    .selectFrom('account')
    .select('id')
    .where('name', '=', account)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, () => randomUUID());
  for (let from = 0; from < count; from += 500) {
    const some = ids.slice(from, from + 500).map((id, offset) => ({ id, number: from + offset + 1 }));
    await database
      .insertInto('daemon')
      .values(
        some.map(({ id, number }) => ({
          id,
          account_id,
          name: `node-${number}`,
          public_key: '{}',
          scopes: 'servers:read',
          created_at: at,
          seen_at: at - number,
        })),
      )
      .execute();
    await database
      .insertInto('telemetry')
      .values(
        some.map(({ id, number }) => {
          const phase = number % 100 === 0 ? 'crashed' : 'running';
          const instances = [reportedInstance({ players: number, phase, backupAge: number })];
          return latestRow({ daemonId: id, at, report: telemetryReport({ instances, cpuPercent: number % 97 }) });
        }),
      )
      .execute();
    await database
      .insertInto('daemon_label')
      .values(some.map(({ id, number }) => ({ daemon_id: id, name: 'region', value: number % 2 === 0 ? 'eu' : 'us' })))
      .execute();
  }
  return ids;
}
