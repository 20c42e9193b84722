import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry, AuditQuery, AuditRecord } from '../../shared/contract/daemon/audit.ts';
import { backOffDelay } from '../../shared/domain/back-off.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Daemon } from './clients.ts';

export type { AuditEntry, AuditQuery, AuditRecord };

/** What is handed over at once while more is coming in. */
const MOST_IN_A_BATCH = 500;
/** What is kept for a daemon that is away: some megabytes. */
const MOST_WAITING = 20_000;
/** A daemon that was killed is back within a second; a disk that is full may be so for long. */
const RETRY = { firstMs: 100, maxMs: 5_000 };

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

export function createAuditTrail(daemon: Daemon, onError: (error: unknown) => void): AuditTrail {
  const closing = new AbortController();
  const { signal } = closing;
  let waiting: Waiting[] = [];
  let handing: Promise<void> | undefined;
  let lost = 0;

  /** What comes in while a batch is on its way makes up the next one: one write to the disk for all of it. */
  async function handOver(): Promise<void> {
    let most = MOST_IN_A_BATCH;
    for (let failures = 0; waiting.length > 0 && !signal.aborted; ) {
      const batch = waiting.slice(0, most);
      try {
        // However long it takes: given up and sent again, it might be written twice.
        await daemon.call.auditBatch(
          batch.map(({ entry }) => entry),
          { timeoutMs: 0 },
        );
      } catch (error) {
        onError(error);
        if (!isAway(error)) {
          // An entry that can never be written must not hold up the others for ever (CVE-2026-21696): it is looked for, and goes last.
          if (batch.length === 1) waiting = [...waiting.slice(1), ...batch];
          most = Math.ceil(batch.length / 2);
        }
        await delay(backOffDelay(RETRY, ++failures, Math.random()), undefined, { signal }).catch(() => undefined);
        continue;
      }
      failures = 0;
      most = MOST_IN_A_BATCH;
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

function isAway(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'daemon_unavailable';
}
