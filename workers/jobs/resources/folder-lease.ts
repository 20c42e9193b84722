import { LEASE_MS, LEASE_RENEW_MS } from '../../../shared/contract/supervisor.ts';
import type { Activity } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { Peers } from './peers.ts';

/** Turning saving on again waits for the game's main thread, like every command. Milliseconds. */
const RELEASE_TIMEOUT_MS = 30_000;
/** An answer may be there already when this process comes to itself, late. Milliseconds. */
const LEAST_PATIENCE_MS = 1_000;

/** An instance's folder while its supervisor keeps everybody else away from it. */
export interface HeldFolder {
  /** Resolves to whether the world was on disk and still, and has stayed so until now. Throws when the hold is lost. */
  isStill(): Promise<boolean>;
  /** Aborted when the hold is lost: what is read or written from then on is not protected any more. */
  readonly lost: AbortSignal;
  /** Gives the folder back. Never throws: the lease ends by itself, and at once when this process goes. */
  release(): Promise<void>;
}

export interface FolderLockRequest {
  instanceId: string;
  activity: Activity;
  /** Ends the wait for the hold. */
  signal: AbortSignal;
}

export interface FolderLockParts {
  peers: Peers;
  log: Logger;
  /** Milliseconds of a clock that is never set. */
  elapsed?: () => number;
}

/**
 * Takes the hold and keeps renewing it. A supervisor that is slow to answer loses nothing as long as the lease lasts. Throws what the
 * supervisor says against it.
 */
export async function lockFolder(
  { instanceId, activity, signal }: FolderLockRequest,
  { peers, log, elapsed = () => performance.now() }: FolderLockParts,
): Promise<HeldFolder> {
  const supervisor = await peers.supervisor(instanceId);
  const lost = new AbortController();
  const lose = (cause: unknown) =>
    lost.abort(
      new GamekeeperError('worker_unavailable', `The hold on "${instanceId}" was lost while it was ${activity}.`, {
        retryAfterSeconds: 1,
        cause,
      }),
    );
  try {
    // A flush may take minutes; the supervisor has its own deadline for it.
    const { leaseId, quiesced } = await supervisor.call.hold(activity, { timeoutMs: 0, signal });
    const stopListening = supervisor.onLost(() => lose(undefined));
    let renewedAt = elapsed();
    const remaining = () => renewedAt + LEASE_MS - elapsed();
    /** Throws when the hold is lost, and when there was no answer while the lease lasted. */
    const renew = async (): Promise<boolean> => {
      const askedAt = elapsed();
      const still = await supervisor.call.renew(leaseId, { timeoutMs: Math.max(LEAST_PATIENCE_MS, remaining()) });
      renewedAt = Math.max(renewedAt, askedAt);
      // Supervisors of earlier versions, which may run on over an update, do not say.
      return still !== false;
    };
    const isOver = (error: unknown) => isRefusal(error) || remaining() <= 0;
    const renewal = setInterval(() => {
      // Otherwise the next one may be answered.
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
      async release() {
        clearInterval(renewal);
        stopListening();
        await supervisor.call
          .release(leaseId, { timeoutMs: RELEASE_TIMEOUT_MS })
          .catch((error: unknown) => log.warn({ err: error, instance: instanceId }, 'a hold could not be released'));
        supervisor.close();
      },
    };
  } catch (error) {
    // Also ends a hold that was granted while we gave up waiting for it.
    supervisor.close();
    throw error;
  }
}

/** The supervisor has ended the lease. */
function isRefusal(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'invalid_state';
}
