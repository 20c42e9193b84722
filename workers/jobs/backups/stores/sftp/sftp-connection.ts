import type { Client, SFTPWrapper } from 'ssh2';
import type { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { unlessAborted } from '../../../../../shared/node/primitives/unless-aborted.ts';
import {
  fingerprintOf,
  isPinned,
  pinnedType,
  typeOf,
  UNKNOWN_HOST_KEY,
} from '../../../../../shared/node/ssh/host-key.ts';
import { signIn, UnreadableKeyError } from '../../../../../shared/node/ssh/sign-in.ts';
import type { SftpStoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import { connectionTrouble, refused, unavailable } from '../store-error.ts';

export interface SftpConnection {
  readonly client: Client;
  readonly sftp: SFTPWrapper;
}

/** Opens a connection on first use, keeps it, and opens another one after it was lost. */
export interface SftpConnections {
  current(signal: AbortSignal): Promise<SftpConnection>;
  close(): void;
}

export function createSftpConnections(settings: SftpStoreSettings): SftpConnections {
  let connecting: Promise<SftpConnection> | undefined;
  let client: Client | undefined;

  async function connect(): Promise<SftpConnection> {
    const { Client } = (await import('ssh2')).default;
    const mine = new Client();
    client = mine;
    mine.once('close', () => {
      if (client === mine) connecting = undefined;
    });
    await connectTo(mine, settings);
    // Disables Nagle's algorithm, which would delay requests.
    mine.setNoDelay(true);
    return { client: mine, sftp: await openSftp(mine, settings.name) };
  }

  return {
    current(signal) {
      connecting ??= connect().catch((error: unknown) => {
        connecting = undefined;
        client?.end();
        throw error;
      });
      return unlessAborted(connecting, signal);
    },
    close() {
      connecting = undefined;
      client?.destroy();
    },
  };
}

/** Wraps a call of ssh2 in a promise. An abort does not wait for an answer that may never come. */
export function ask<T>(
  signal: AbortSignal,
  call: (done: (error: Error | null | undefined, result: T) => void) => void,
): Promise<T> {
  const answer = new Promise<T>((resolve, reject) => {
    signal.throwIfAborted();
    call((error, result) => (error ? reject(error) : resolve(result)));
  });
  return unlessAborted(answer, signal);
}

export function explainSftp(store: string, error: unknown): GamekeeperError {
  const { level, code } = error as { level?: string; code?: unknown };
  if (level === 'client-authentication')
    return refused(store, 'did not accept the user name with this password or private key.', { cause: error });
  if (level === 'client-timeout') return unavailable(store, 'did not respond in time.', { cause: error });
  if (level === 'handshake' || level === 'protocol')
    return refused(store, 'has no SSH algorithm in common with Gamekeeper.', { cause: error });
  if (code === 3) return refused(store, 'does not allow this user to write there.', { cause: error });
  return unavailable(store, connectionTrouble(error) ?? 'closed the connection or refused the request.', {
    cause: error,
  });
}

async function connectTo(client: Client, settings: SftpStoreSettings): Promise<void> {
  const { name, hostKey } = settings;
  const check = (key: Buffer) => {
    if (!isPinned(key, hostKey)) throw wrongHostKey(name, key, hostKey);
  };
  try {
    await signIn(client, settings, { check, type: pinnedType(hostKey) });
  } catch (cause) {
    if (!(cause instanceof UnreadableKeyError)) throw cause;
    throw refused(name, 'has a private key that cannot be read, or its passphrase is wrong.', {
      resolution: 'Set privateKey to the complete text of the key, and passphrase if it has one.',
      cause,
    });
  }
}

function openSftp(client: Client, name: string): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) =>
      error ? reject(refused(name, 'offers no SFTP to this user.', { cause: error })) : resolve(sftp),
    );
  });
}

function wrongHostKey(name: string, key: Buffer, pinned: string): GamekeeperError {
  const met = `${fingerprintOf(key)} (${typeOf(key)})`;
  const what =
    pinned === UNKNOWN_HOST_KEY
      ? `showed the host key ${met}, but the settings do not have the right one yet.`
      : `showed the host key ${met}, which is not the one in the settings. Somebody may be intercepting the connection.`;
  return refused(name, what, {
    resolution: `On the server itself, compare it with the output of "ssh-keygen -lf /etc/ssh/ssh_host_..._key.pub". If it is right, set the store's hostKey to "${fingerprintOf(key)}".`,
  });
}
