import { LEASE_MS, LEASE_RENEW_MS } from '../../../shared/contract/supervisor.ts';
import type { Activity } from '../../../shared/domain/instance/phase.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { Peers } from './peers.ts';

/** Turning saving on again waits for the game's main thread, like every command. Milliseconds. */
const RELEASE_TIMEOUT_MS = 30_000;
/** After a pause of this process, the answer may already be waiting to be read. Milliseconds. */
const LEAST_PATIENCE_MS = 1_000;

/** A lease on an instance's folder lock (workers/supervisor/folder/folder-lock.ts): while it lasts, nothing else changes the folder. */
export interface FolderLease {
  /** Resolves to whether the world was saved to disk and has not changed since. Throws if the lease is lost. */
  isStill(): Promise<boolean>;
  /** Aborted when the lease is lost: from then on the folder may change. */
  readonly lost: AbortSignal;
  /** Writes a line into the server's console. Never throws: supervisors of earlier versions cannot do it. */
  notice(text: string): Promise<void>;
  /** Releases the folder. Never throws: the lease expires anyway, and ends at once if this process dies. */
  release(): Promise<void>;
}

export interface FolderLeaseRequest {
  instanceId: string;
  activity: Activity;
  signal: AbortSignal;
}

export interface FolderLeaseOptions {
  peers: Peers;
  log: Logger;
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number;
}

/**
 * Locks an instance's folder and keeps renewing the lease. A slow supervisor does no harm as long as it answers before the lease ends.
 * Throws the supervisor's error if the folder cannot be locked.
 */
export async function lockFolder(
  { instanceId, activity, signal }: FolderLeaseRequest,
  { peers, log, elapsed = () => performance.now() }: FolderLeaseOptions,
): Promise<FolderLease> {
  const supervisor = await peers.supervisor(instanceId);
  const lost = new AbortController();
  const lose = (cause: unknown) => lost.abort(lockLost(instanceId, activity, cause));
  try {
    // Saving may take minutes; the supervisor has its own deadline for it.
    const { leaseId, quiesced } = await supervisor.call.hold(activity, { timeoutMs: 0, signal });
    const stopListening = supervisor.onLost(() => lose(undefined));
    let renewedAt = elapsed();
    const remaining = () => renewedAt + LEASE_MS - elapsed();
    /** Throws if the lease has ended, or if no answer comes before it ends. */
    const renew = async (): Promise<boolean> => {
      const askedAt = elapsed();
      const still = await supervisor.call.renew(leaseId, { timeoutMs: Math.max(LEAST_PATIENCE_MS, remaining()) });
      renewedAt = Math.max(renewedAt, askedAt);
      // Supervisors of earlier versions, which may keep running after an upgrade, return nothing.
      return still !== false;
    };
    const isOver = (error: unknown) => isRefusal(error) || remaining() <= 0;
    const renewal = setInterval(() => {
      // Until the lease is over, the next renewal may still succeed.
      renew().catch((error: unknown) => isOver(error) && lose(error));
    }, LEASE_RENEW_MS);
    return {
      async isStill() {
        while (quiesced) {
          lost.signal.throwIfAborted();
          try {
            return await renew();
          } catch (error) {
            if (isOver(error)) throw error;
          }
        }
        return false;
      },
      lost: lost.signal,
      async notice(text) {
        await supervisor.call
          .notice(text)
          .catch((error: unknown) => log.warn({ err: error, instance: instanceId, text }, 'could not write a notice'));
      },
      async release() {
        clearInterval(renewal);
        stopListening();
        await supervisor.call
          .release(leaseId, { timeoutMs: RELEASE_TIMEOUT_MS })
          .catch((error: unknown) => log.warn({ err: error, instance: instanceId }, 'could not release a folder lock'));
        supervisor.close();
      },
    };
  } catch (error) {
    // Closing also ends a lease that was granted after we gave up waiting.
    supervisor.close();
    throw error;
  }
}

const DOING: Record<Activity, string> = { 'backing-up': 'read', restoring: 'replaced', installing: 'changed' };

function lockLost(instanceId: string, activity: Activity, cause: unknown): GamekeeperError {
  const detail = `The lock on the folder of "${instanceId}" was lost while the folder was being ${DOING[activity]}.`;
  return new GamekeeperError('worker_unavailable', detail, { retryAfterSeconds: 1, cause });
}

/** The supervisor has ended the lease. */
function isRefusal(error: unknown): boolean {
  return isGamekeeperError(error, 'invalid_state');
}
