import type { AlgorithmList, Client, ConnectConfig, ServerHostKeyAlgorithm } from 'ssh2';

/** From the first packet to the end of the sign-in. Milliseconds. */
const READY_TIMEOUT_MS = 20_000;
/** Interval of keep-alives, and how many may go unanswered: a router may have dropped an idle connection. Milliseconds. */
const KEEPALIVE_MS = 15_000;
const KEEPALIVES = 4;

/** An account on an SSH server. */
export interface SshAccount {
  host: string;
  port: number;
  username: string;
  password?: string | undefined;
  /** Text of the key, with `passphrase` if it has one. */
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  /** Socket of an SSH agent. */
  agent?: string | undefined;
}

export interface HostKeyCheck {
  /** Throws the error of the sign-in if the server's key is not the right one. */
  check: (key: Buffer) => void;
  /** Only keys of this type are offered to `check`, if it is set. */
  type: string | undefined;
}

/** The private key or its passphrase is wrong; nothing was sent. */
export class UnreadableKeyError extends Error {
  override name = 'UnreadableKeyError';
}

/**
 * Signs in. Throws what `check` throws, UnreadableKeyError, or ssh2's own error, whose `level` names the cause. Afterwards the client emits only
 * 'close' when the connection is lost.
 */
export async function signIn(client: Client, account: SshAccount, hostKey: HostKeyCheck): Promise<void> {
  const { host, port, username, password, privateKey, passphrase, agent } = account;
  let wrongKey: unknown;
  const config: ConnectConfig = {
    host,
    port,
    username,
    readyTimeout: READY_TIMEOUT_MS,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVES,
    hostVerifier: (key: Buffer) => {
      try {
        hostKey.check(key);
      } catch (error) {
        wrongKey = error;
      }
      return wrongKey === undefined;
    },
    algorithms: { serverHostKey: algorithmsOf(hostKey.type) },
    ...(password !== undefined && { password, tryKeyboard: true }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase }),
    ...(agent !== undefined && { agent }),
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
    } catch (cause) {
      reject(new UnreadableKeyError('the private key cannot be read', { cause }));
    }
  });
}

/** RSA keys have three signature algorithms; the one with SHA-1 is never used. A fingerprint tells no type. */
function algorithmsOf(type: string | undefined): AlgorithmList<ServerHostKeyAlgorithm> {
  if (type === undefined) return { remove: 'ssh-rsa', append: [], prepend: [] };
  const names = type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type];
  return names as ServerHostKeyAlgorithm[];
}
