import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import type { Pairing } from '../../shared/schema/pairing.ts';
import type { Store } from '../store/store.ts';
import { requireVerified } from './require-verified.ts';
import { createSecondFactors } from './second-factors.ts';
import { createSshKeys } from './ssh-keys.ts';
import { createUsers } from './users.ts';

/** The calls of the daemon about users, sessions, tokens and the audit trail. */
export type Credentials = Pick<
  DaemonService,
  | 'tokenKey'
  | 'sshKeys'
  | 'addSshKey'
  | 'removeSshKey'
  | 'watchCredentials'
  | 'tokens'
  | 'token'
  | 'addToken'
  | 'revokeToken'
  | 'users'
  | 'user'
  | 'addUser'
  | 'updateUser'
  | 'removeUser'
  | 'endSessionsOf'
  | 'beginTotp'
  | 'confirmTotp'
  | 'useSecondFactor'
  | 'removeTotp'
  | 'renewRecoveryCodes'
  | 'removeRecoveryCodes'
  | 'setPassword'
  | 'session'
  | 'addSession'
  | 'extendSession'
  | 'endSession'
  | 'audit'
  | 'auditBatch'
  | 'auditTrail'
  | 'pairing'
  | 'setPairing'
  | 'removePairing'
> & {
  /** Changes the given fields. Throws `not_linked`. */
  changePairing(change: {
    ceiling?: Pairing['ceiling'] | undefined;
    name?: string | undefined;
    telemetry?: boolean | undefined;
  }): Pairing;
  /** Forgets grants of the paired proxy, and publishes that they are revoked. */
  endGrants(grantIds: readonly string[]): void;
};

/** `now` returns an ISO time. Publishes ended sessions and changed users to `watchCredentials`. */
export function createCredentials(store: Store, now: () => string): Credentials {
  const { users, sessions, tokens } = store;
  const events = createBroadcast<CredentialEvent>();
  return {
    tokenKey: () => ({ key: store.meta.tokenKey, revoked: tokens.revoked(now()) }),
    watchCredentials: (signal) => events.subscribe(signal),
    tokens: () => tokens.all(now()),
    token: (id) => tokens.find(id, now()),
    addToken: ({ token, by }) =>
      store.transaction(() => {
        requireVerified(store, by, now());
        tokens.removeExpired(now());
        tokens.add(token);
      }),
    revokeToken({ id, by }) {
      store.transaction(() => {
        requireVerified(store, by, now());
        if (!tokens.revoke(id, now())) throw new GamekeeperError('token_not_found', `There is no token "${id}".`);
      });
      events.publish({ type: 'token-revoked', id });
    },
    ...createUsers(store, { now, publish: events.publish }),
    ...createSshKeys(store, { now, publish: events.publish }),
    ...createSecondFactors(store, { now, publish: events.publish }),
    session(tokenHash) {
      const session = sessions.find(tokenHash, now());
      const user = session && users.find(session.username);
      if (!user) return null;
      const { role, instances, mustChangePassword, version } = user;
      return { ...session, role, instances, mustChangePassword, version };
    },
    addSession: ({ session, by }) =>
      store.transaction(() => {
        requireVerified(store, by, now());
        sessions.removeExpired(now());
        sessions.add(session);
      }),
    extendSession: sessions.extend,
    endSession(tokenHash) {
      sessions.end(tokenHash);
      events.publish({ type: 'session-ended', tokenHash });
    },
    audit: (entry) => store.audit.add([entry]),
    auditBatch: store.audit.add,
    auditTrail: store.audit.read,
    pairing: store.pairing.get,
    setPairing(request) {
      const pairing = { ...request, audience: `urn:uuid:${store.meta.daemonId}`, pairedAt: now() };
      store.transaction(() => {
        store.pairing.set(pairing);
        store.usedGrants.clear();
      });
      events.publish({ type: 'pairing-changed' });
      return pairing;
    },
    changePairing({ ceiling, name, telemetry }) {
      const pairing = store.pairing.get();
      if (!pairing) throw new GamekeeperError('not_linked', 'This daemon is not linked to a hosted proxy.');
      const changed = {
        ...pairing,
        ...(ceiling && { ceiling: [...new Set(ceiling)] }),
        ...(name !== undefined && { name }),
        ...(telemetry !== undefined && { telemetry }),
      };
      store.pairing.set(changed);
      events.publish({ type: 'pairing-changed' });
      return changed;
    },
    removePairing() {
      store.usedGrants.clear();
      if (store.pairing.remove()) events.publish({ type: 'pairing-changed' });
    },
    endGrants(grantIds) {
      store.transaction(() => grantIds.forEach(store.usedGrants.remove));
      events.publish({ type: 'grants-ended', grantIds: [...grantIds] });
    },
  };
}
