import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry, AuditQuery, AuditRecord } from '../../shared/contract/daemon.ts';
import type { Daemon } from './daemon.ts';

export type { AuditEntry, AuditQuery, AuditRecord };

/** What is handed over at once while more is coming in. */
const MOST_IN_A_BATCH = 500;
/** What is kept for a daemon that is away: some megabytes. */
const MOST_WAITING = 20_000;
/** A daemon that was killed is back within seconds. */
const AGAIN_AFTER_MS = 250;

/** The daemon's record of who changed what. */
export interface AuditTrail {
  /** Resolves when the entry is on disk. While the daemon is away entries wait for it, so this may take long. */
  write(entry: AuditEntry): Promise<void>;
  read(query: AuditQuery): Promise<AuditRecord[]>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
  close(): void;
}

interface Waiting {
  entry: AuditEntry;
  resolve: () => void;
}

export function auditTrail(daemon: Daemon, onError: (error: unknown) => void): AuditTrail {
  const closing = new AbortController();
  const { signal } = closing;
  let waiting: Waiting[] = [];
  let handing: Promise<void> | undefined;
  let lost = 0;

  /** What comes in while a batch is on its way makes up the next one: one write to the disk for all of it. */
  async function handOver(): Promise<void> {
    while (waiting.length > 0 && !signal.aborted) {
      const batch = waiting.slice(0, MOST_IN_A_BATCH);
      try {
        await daemon.call.auditBatch(batch.map(({ entry }) => entry));
      } catch (error) {
        onError(error);
        await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      waiting = waiting.slice(batch.length);
      for (const { resolve } of batch) resolve();
    }
  }

  function hand(): void {
    handing ??= handOver().finally(() => {
      handing = undefined;
    });
  }

  return {
    write(entry) {
      if (waiting.length >= MOST_WAITING) {
        lost++;
        onError(new Error(`the daemon is away and the audit trail has lost ${lost} entries`));
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        waiting.push({ entry, resolve });
        hand();
      });
    },
    read: (query) => daemon.call.auditTrail(query),
    settled: async () => handing,
    close: () => closing.abort(),
  };
}
