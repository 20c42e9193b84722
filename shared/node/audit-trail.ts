import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry, AuditQuery, AuditRecord } from '../contract/daemon/audit.ts';
import { backOffDelay } from '../domain/back-off.ts';
import { isGamekeeperError } from '../errors/gamekeeper-error.ts';
import type { DaemonClient } from './ipc/connect.ts';

const MOST_IN_A_BATCH = 500;
/** Entries kept while the daemon is away: a few megabytes in total, 80 at most. */
const MOST_WAITING = 20_000;
/** Of a path, which is from the caller. No file's path is longer; a packet of SFTP can have a quarter of a megabyte. */
const LONGEST_PATH = 4_096;
/** A killed daemon is back within a second; a full disk may last longer. */
const RETRY = { firstMs: 100, maxMs: 5_000 };

export interface AuditTrail {
  /** Resolves when the entry is on disk. Entries wait while the daemon is away. */
  write(entry: AuditEntry): Promise<void>;
  read(query: AuditQuery): Promise<AuditRecord[]>;
  settled(): Promise<void>;
  close(): void;
}

interface Waiting {
  entry: AuditEntry;
  resolve: () => void;
}

export function createAuditTrail(daemon: Pick<DaemonClient, 'call'>, onError: (error: unknown) => void): AuditTrail {
  const closing = new AbortController();
  const { signal } = closing;
  let waiting: Waiting[] = [];
  let sending: Promise<void> | undefined;
  let lost = 0;

  /** Entries that arrive during a call form the next batch, which is one write to the disk. */
  async function sendWaiting(): Promise<void> {
    let most = MOST_IN_A_BATCH;
    for (let failures = 0; waiting.length > 0 && !signal.aborted; ) {
      const batch = waiting.slice(0, most);
      try {
        // Without a timeout: a call that is given up and repeated might write the batch twice.
        await daemon.call.auditBatch(
          batch.map(({ entry }) => entry),
          { timeoutMs: 0 },
        );
      } catch (error) {
        onError(error);
        if (!isAway(error)) {
          // An entry that can never be written must not block the others (CVE-2026-21696): batches are halved until it is alone, then it
          // goes last.
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

  function send(): void {
    sending ??= sendWaiting().finally(() => {
      sending = undefined;
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
        waiting.push({ entry: { ...entry, path: entry.path.slice(0, LONGEST_PATH) }, resolve });
        send();
      });
    },
    read: (query) => daemon.call.auditTrail(query),
    settled: async () => sending,
    close: () => closing.abort(),
  };
}

function isAway(error: unknown): boolean {
  return isGamekeeperError(error, 'daemon_unavailable');
}
