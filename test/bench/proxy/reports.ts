import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createAccounts } from '../../../gateway/proxy/accounts/accounts.ts';
import { createTelemetryStore } from '../../../gateway/proxy/fleet/telemetry/telemetry-store.ts';
import { type Database, openDatabase } from '../../../gateway/proxy/store/database.ts';
import { REPORT_EVERY_MS } from '../../../shared/node/link/telemetry.ts';
import { startPostgres } from '../../support/proxy/postgres.ts';
import { seedFleet } from '../../support/proxy/seed-fleet.ts';
import { telemetryReport } from '../../support/proxy/telemetry-report.ts';
import { atMost, type BenchRow } from '../row.ts';

const DAEMONS = 500;
const DAY_MS = 24 * 60 * 60 * 1000;
const REPORTS = DAY_MS / REPORT_EVERY_MS;
const REPORTS_OF_HOUR = REPORTS / 24;
/** How long rows are kept (telemetry-store.ts). */
const SAMPLE_DAYS = 2;
const HOUR_DAYS = 90;
const KIB = 1024;

/** What reports cost PostgreSQL: a day of 500 daemons, each of which reports every five minutes, all of them in one batch. */
export async function reports(cleanup: AsyncDisposableStack): Promise<BenchRow[]> {
  const postgres = await startPostgres({
    name: 'reports',
    teardown: (end: () => Promise<void>) => cleanup.defer(end),
    comment: (message: string) => void process.stderr.write(`${message}\n`),
    fail: () => false,
  });
  if (!postgres) return [];
  const database = await openDatabase({ file: '', url: await postgres.database(), onError: () => undefined });
  cleanup.defer(() => database.destroy());
  const seconds = await writeDay(database);
  const bytesOf = async (table: string) => {
    const { rows } = await sql<{ bytes: string }>`SELECT pg_total_relation_size(${table}) AS bytes`.execute(database);
    return Number(rows[0]?.bytes) / DAEMONS;
  };
  const [samples, hours, latest] = [
    await bytesOf('telemetry_sample'),
    await bytesOf('telemetry_hour'),
    await bytesOf('telemetry'),
  ];
  const kept = samples * SAMPLE_DAYS + hours * HOUR_DAYS + latest;
  return [
    atMost('P4', 'rows of a daemon in a day, samples', REPORTS, { unit: 'rows', most: 300 }),
    atMost('P4', 'samples of a daemon and day, with indexes', samples / KIB, { unit: 'KiB', most: 100 }),
    atMost('P4', 'hours of a daemon and day, with indexes', hours / KIB, { unit: 'KiB', most: 30 }),
    atMost('P4', 'what is kept of a daemon', kept / KIB, { unit: 'KiB', most: 2_000 }),
    atMost('P4', 'a report, written with 500 others', (seconds * 1000) / (REPORTS * DAEMONS), { unit: 'ms', most: 1 }),
  ];
}

/** Resolves to the seconds that it took. */
async function writeDay(database: Database): Promise<number> {
  const account = `owner-${randomUUID()}`;
  await createAccounts(database, Date.now).add({ name: account, passwordHash: '', isAdmin: false });
  const begun = Date.now() - DAY_MS;
  const ids = await seedFleet(database, { account, count: DAEMONS, at: Math.floor(begun / 1000) });
  const store = createTelemetryStore(database, Date.now);
  const startedAt = performance.now();
  for (let n = 0; n < REPORTS; n++) {
    const at = Math.floor((begun + n * REPORT_EVERY_MS) / 1000);
    await store.write(ids.map((daemonId) => ({ daemonId, at, report: telemetryReport({ cpuPercent: n % 97 }) })));
    // As autovacuum does in the course of a day: each report updates two rows.
    if (n % REPORTS_OF_HOUR === 0) await sql`VACUUM telemetry_hour, telemetry`.execute(database);
  }
  return (performance.now() - startedAt) / 1000;
}
