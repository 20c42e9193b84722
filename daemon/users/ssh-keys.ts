import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { DaemonSshKeys } from '../../shared/contract/daemon/ssh-keys.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Store } from '../store/store.ts';
import { requireVerified } from './require-verified.ts';

const MOST_KEYS = 20;

export interface SshKeysOptions {
  /** Returns an ISO time. */
  now: () => string;
  publish: (event: CredentialEvent) => void;
}

export function createSshKeys(
  store: Pick<Store, 'users' | 'sessions' | 'sshKeys' | 'transaction'>,
  { now, publish }: SshKeysOptions,
): DaemonSshKeys {
  const { users, sshKeys } = store;
  return {
    sshKeys: (username) => sshKeys.of(username),
    addSshKey: ({ username, key, by }) =>
      store.transaction(() => {
        requireVerified(store, by, now());
        if (!users.find(username)) throw new GamekeeperError('user_not_found', `There is no user "${username}".`);
        const present = sshKeys.of(username);
        if (present.some(({ fingerprint }) => fingerprint === key.fingerprint))
          throw new GamekeeperError('invalid_state', 'This key was added before.');
        if (present.length >= MOST_KEYS)
          throw new GamekeeperError('invalid_state', `A user can have at most ${MOST_KEYS} keys.`, {
            resolution: 'Remove one that you no longer need.',
          });
        sshKeys.add(username, key);
      }),
    removeSshKey({ username, id, by }) {
      store.transaction(() => {
        requireVerified(store, by, now());
        if (!sshKeys.remove(username, id))
          throw new GamekeeperError('ssh_key_not_found', `There is no SSH key "${id}".`);
      });
      publish({ type: 'user-changed', username });
    },
  };
}
