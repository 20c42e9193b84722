import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../../shared/node/logger.ts';
import { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import type { ModOptions } from './change-mods.ts';
import type { ModSources } from './fetch-mods.ts';
import { createJarScanner } from './folder/jar-scanner.ts';
import { createKnownMods, type KnownMods } from './known-mods.ts';
import { createModCalls, type ModCalls } from './mod-calls.ts';
import { type ModSettler, settleMods } from './settle-mods.ts';
import { createWaitingChanges } from './waiting-changes.ts';

export interface ModsOptions {
  database: DatabaseSync;
  pool: Pool;
  peers: Peers;
  queue: JobQueue;
  sources: ModSources;
  log: Logger;
}

export interface Mods {
  calls: ModCalls;
  known: KnownMods;
  /** Makes the changes that wait for a server's start. */
  settle: ModSettler;
  forget(instanceId: string): void;
}

export function createMods({ database, pool, peers, queue, sources, log }: ModsOptions): Mods {
  const records = { known: createKnownMods(database), waiting: createWaitingChanges(database) };
  const scan = createJarScanner(pool);
  const locks = { changes: new KeyedMutex(), folders: new KeyedMutex() };
  const options: ModOptions = { peers, sources, records, scan, locks, log };
  return {
    calls: createModCalls(queue, options),
    known: records.known,
    settle: (config, run) => settleMods(config, run, options),
    forget: (instanceId) => records.waiting.set(instanceId, undefined),
  };
}
