import type { DatabaseSync } from 'node:sqlite';
import type { Home } from '../../../shared/node/files/home.ts';
import { createLogger, type Logger } from '../../../shared/node/logger.ts';
import { createProcessMeter, type ProcessMeter } from '../../../shared/node/processes/process-meter.ts';
import { openDatabase } from './database.ts';
import { connectPeers, type Peers } from './peers.ts';
import { createPool, createReaderPool, createStreamPool, type Pool } from './pool.ts';

/** Resources shared by all work in this process. */
export interface Resources {
  peers: Peers;
  log: Logger;
  database: DatabaseSync;
  pool: Pool;
  /** For exports, which are as slow as their readers. */
  streams: Pool;
  /** For browsing backups. */
  readers: Pool;
  meter: ProcessMeter;
}

/** Opens everything that must be closed at the end; `cleanup` closes it in reverse order. */
export async function openResources(
  { home, poolEntry }: { home: Home; poolEntry: string },
  cleanup: AsyncDisposableStack,
): Promise<Resources> {
  const peers = connectPeers(home.daemonSocket);
  cleanup.defer(() => peers.close());
  const { level } = (await peers.daemon.settings()).log;
  const log = createLogger({ name: 'jobs', level });
  const database = openDatabase(home.database);
  cleanup.defer(() => database.close());
  const pool = createPool(poolEntry);
  cleanup.defer(() => pool.close());
  const streams = createStreamPool(poolEntry);
  cleanup.defer(() => streams.close());
  const readers = createReaderPool(poolEntry);
  cleanup.defer(() => readers.close());
  const meter = createProcessMeter();
  cleanup.defer(() => meter.stop());
  return { peers, log, database, pool, streams, readers, meter };
}
