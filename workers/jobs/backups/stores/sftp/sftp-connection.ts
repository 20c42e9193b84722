import type { AlgorithmList, Client, ConnectConfig, ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2';
import type { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { unlessAborted } from '../../../../../shared/node/primitives/unless-aborted.ts';
import type { SftpStoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import { connectionTrouble, refused, unavailable } from '../store-error.ts';
import { fingerprintOf, isPinned, pinnedType, typeOf, UNKNOWN_HOST_KEY } from './host-key.ts';

/** From the first packet to the end of the sign-in. Milliseconds. */
const READY_TIMEOUT_MS = 20_000;
/** Interval of keep-alives, and how many may go unanswered: a router may have dropped an idle connection. Milliseconds. */
const KEEPALIVE_MS = 15_000;
const KEEPALIVES = 4;

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
    await signIn(mine, settings);
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

async function signIn(client: Client, settings: SftpStoreSettings): Promise<void> {
  const { name, host, port, username, password, privateKey, passphrase, hostKey } = settings;
  let wrongKey: GamekeeperError | undefined;
  const config: ConnectConfig = {
    host,
    port,
    username,
    readyTimeout: READY_TIMEOUT_MS,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVES,
    hostVerifier: (key: Buffer) => {
      if (!isPinned(key, hostKey)) wrongKey = wrongHostKey(name, key, hostKey);
      return wrongKey === undefined;
    },
    algorithms: { serverHostKey: algorithmsOf(pinnedType(hostKey)) },
    ...(password !== undefined && { password, tryKeyboard: true }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase }),
  };
  // Some servers ask for the password interactively.
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => password ?? '')),
  );
  await new Promise<void>((resolve, reject) => {
    // Stays for the connection's life. Requests in progress get their own errors.
    client.on('error', (error) => reject(wrongKey ?? error));
    client.once('ready', resolve);
    client.once('close', () => reject(wrongKey ?? new Error('closed')));
    try {
      client.connect(config);
    } catch (error) {
      reject(
        refused(name, 'has a private key that cannot be read, or its passphrase is wrong.', {
          resolution: 'Set privateKey to the complete text of the key, and passphrase if it has one.',
          cause: error,
        }),
      );
    }
  });
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

/** RSA keys have three signature algorithms; the one with SHA-1 is never used. A fingerprint tells no type. */
function algorithmsOf(type: string | undefined): AlgorithmList<ServerHostKeyAlgorithm> {
  if (type === undefined) return { remove: 'ssh-rsa', append: [], prepend: [] };
  const names = type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type];
  return names as ServerHostKeyAlgorithm[];
}
