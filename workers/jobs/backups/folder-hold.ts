import { LEASE_RENEW_MS } from '../../../shared/contract/supervisor.ts';
import type { Activity } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { Peers } from '../peers.ts';

/** Turning saving on again waits for the game's main thread, like every command. Milliseconds. */
const RELEASE_TIMEOUT_MS = 30_000;

/** An instance's folder while its supervisor keeps everybody else away from it. */
export interface HeldFolder {
  /** Resolves to whether the world was on disk and still, and has stayed so until now. Throws when the hold is lost. */
  isStill(): Promise<boolean>;
  /** Aborted when the hold is lost: what is read or written from then on is not protected any more. */
  readonly lost: AbortSignal;
  /** Gives the folder back. Never throws: the lease ends by itself, and at once when this process goes. */
  release(): Promise<void>;
}

export interface FolderHoldRequest {
  instanceId: string;
  activity: Extract<Activity, 'backing-up' | 'restoring'>;
  /** Ends the wait for the hold. */
  signal: AbortSignal;
}

/** Takes the hold and keeps renewing it. Throws what the supervisor says against it. */
export async function holdFolder(
  { instanceId, activity, signal }: FolderHoldRequest,
  { peers, log }: { peers: Peers; log: Logger },
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
    const renewal = setInterval(() => {
      supervisor.call.renew(leaseId, { timeoutMs: LEASE_RENEW_MS }).catch(lose);
    }, LEASE_RENEW_MS);
    return {
      async isStill() {
        // Supervisors of earlier versions, which may run on over an update, do not say.
        return quiesced && (await supervisor.call.renew(leaseId, { timeoutMs: LEASE_RENEW_MS })) !== false;
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
