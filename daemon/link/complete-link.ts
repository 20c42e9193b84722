import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '../../shared/contract/daemon/audit.ts';
import { COMMAND_LINE } from '../../shared/domain/access/local-administrator.ts';
import { isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Store } from '../store/store.ts';
import type { Credentials } from '../users/credentials.ts';
import { requireVerified } from '../users/require-verified.ts';
import { publicKeyOf } from './daemon-token.ts';
import type { Approval } from './link-requests.ts';
import { type Registered, type Registration, register, unregister } from './registration.ts';

/** The token of an approval lives for minutes; if registering failed at once, its owner would have to approve again. */
const REGISTER_ATTEMPTS = 5;
const REGISTER_AGAIN_MS = 2_000;

export interface CompleteLinkOptions {
  store: Store;
  credentials: Pick<Credentials, 'pairing' | 'setPairing'>;
  /** Resolves to a token that proves to a proxy which daemon this is. */
  tokenFor: (issuer: string) => Promise<string>;
  /** ISO time. */
  now: () => string;
}

/**
 * Makes the link that was approved: registers the key of this daemon, stores the pairing, and tells the former proxy. Throws `unauthenticated`
 * if whoever asked is no longer as verified: a removed administrator must not get a way in.
 */
export async function completeLink(
  { request, accessToken, by }: Approval,
  signal: AbortSignal,
  { store, credentials, tokenFor, now }: CompleteLinkOptions,
): Promise<void> {
  const { id, issuer, name, scopes, telemetry } = request;
  const { daemonId } = store.meta;
  const former = credentials.pairing();
  const publicKey = await publicKeyOf(store.pairing.privateKey());
  const resource = `urn:uuid:${daemonId}`;
  requireVerified(store, by, now());
  try {
    const registration = { issuer, accessToken, daemonId, resource, name, publicKey, scopes };
    const registered = await registerPatiently(registration, { proof: () => tokenFor(issuer), signal });
    signal.throwIfAborted();
    store.transaction(() => {
      requireVerified(store, by, now());
      credentials.setPairing({ issuer, name, ceiling: scopes, telemetry, ...registered });
      store.audit.add([approvalEntry({ at: now(), who: by?.username ?? COMMAND_LINE, from: issuer, requestId: id })]);
    });
  } catch (error) {
    if (former?.issuer !== issuer) await unregister(issuer, daemonId, await tokenFor(issuer));
    throw error;
  }
  if (former && former.issuer !== issuer) await unregister(former.issuer, daemonId, await tokenFor(former.issuer));
}

/** The request itself was recorded when it began. */
function approvalEntry(parts: Pick<AuditEntry, 'at' | 'who' | 'from' | 'requestId'>): AuditEntry {
  return { ...parts, method: 'LINK', path: '/api/link', status: 200 };
}

async function registerPatiently(
  registration: Registration,
  { proof, signal }: { proof: () => Promise<string>; signal: AbortSignal },
): Promise<Registered> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await register(registration, { proof: await proof(), signal });
    } catch (error) {
      if (!isGamekeeperError(error, 'proxy_unavailable') || attempt === REGISTER_ATTEMPTS) throw error;
      await delay(REGISTER_AGAIN_MS, undefined, { signal });
    }
  }
}
