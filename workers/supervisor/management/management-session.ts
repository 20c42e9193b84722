import path from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackOff, backOffDelay } from '../../../shared/domain/back-off.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { Log } from '../own-process/process-log.ts';
import { readPropertiesFile } from '../properties/properties-file.ts';
import { JAVA_FORMAT } from '../properties/properties-format.ts';
import { ManagementError } from './management-error.ts';
import { managementSettings } from './management-settings.ts';
import { asPlayer, asPlayers, type ManagedPlayer } from './player-dto.ts';
import { openRpcConnection, type RpcAddress, type RpcConnection } from './rpc-connection.ts';

const BACK_OFF: BackOff = { firstMs: 1_000, maxMs: 60_000 };
const LIST_TIMEOUT_MS = 3_000;
/** Vanilla prints this before it is ready, so no player can have typed it. */
const LISTENING = /^Json-RPC Management connection listening on \S*:(\d{1,5})$/;

export interface ManagementSessionOptions {
  /** The folder of `server.properties`. */
  folder: string;
  /** The environment of the server's process. */
  env: Readonly<Record<string, string | undefined>>;
  lines: LineFeed;
  /** Hides a secret in the console from now on. */
  hideSecret: (secret: string) => void;
  log: Log;
  backOff?: BackOff;
}

/** Follows who is online, as reported by the server itself. */
export interface PlayersListener {
  /** All players online. The server reports every change from now on. */
  all(names: readonly string[]): void;
  joined(name: string): void;
  left(name: string): void;
  /** The server reports no more changes. */
  lost(): void;
}

/**
 * The management protocol of one run of a server (Minecraft 1.21.9 and later), if its owner has turned it on. Connects when the server is
 * ready, and again after a lost connection. Without a connection, calls fail at once.
 */
export class ManagementSession {
  readonly #options: ManagementSessionOptions;
  readonly #listeners = new Set<PlayersListener>();
  readonly #stopListening: () => void;
  readonly #closing = new AbortController();
  #announcedPort: number | undefined;
  #connection: RpcConnection | undefined;

  constructor(options: ManagementSessionOptions) {
    this.#options = options;
    const { lines } = options;
    this.#stopListening = lines.onLineWith(['Management connection listening'], ({ message, prefixed }) => {
      const port = LISTENING.exec(message)?.[1];
      if (port !== undefined && (prefixed || !lines.prefixSeen)) this.#announcedPort = Number(port);
    });
  }

  /** Call this when the server is ready. */
  start(): void {
    this.#stopListening();
    void this.#keepConnected();
  }

  close(): void {
    this.#stopListening();
    this.#closing.abort();
    this.#connection?.close();
  }

  /** Calls `listener` from the next connection on. Returns a function that removes it. */
  onPlayers(listener: PlayersListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls a method. Throws ManagementError. */
  async call(method: string, params: readonly unknown[], options: { timeoutMs: number }): Promise<unknown> {
    if (!this.#connection) throw new ManagementError('unavailable', 'Not connected to the management server');
    return this.#connection.call(method, params, options);
  }

  /** Returns the players who are online. Throws ManagementError. */
  async players(): Promise<ManagedPlayer[]> {
    return asPlayers(await this.call('minecraft:players', [], { timeoutMs: LIST_TIMEOUT_MS }));
  }

  async #keepConnected(): Promise<void> {
    const { log, backOff = BACK_OFF } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    let hasWarned = false;
    while (!signal.aborted) {
      try {
        const address = await this.#address();
        if (address === undefined) return;
        await this.#stayConnected(address, () => {
          log('info', 'connected to the management server');
          failures = 0;
          hasWarned = false;
        });
      } catch (error) {
        if (!hasWarned && !signal.aborted)
          log('warn', 'cannot connect to the management server, trying again', { error });
        hasWarned = true;
      }
      failures++;
      await sleep(backOffDelay(backOff, failures, 0), undefined, { signal }).catch(() => undefined); // closed: the loop ends
    }
  }

  /** Resolves when the connection has ended, as it does when the server stops. */
  async #stayConnected(address: RpcAddress, onConnected: () => void): Promise<void> {
    const connection = await openRpcConnection(address, (method, params) => this.#notified(method, params));
    this.#connection = connection;
    try {
      if (this.#closing.signal.aborted) return;
      const players = await this.players();
      this.#tell((listener) => listener.all(players.map(({ name }) => name)));
      onConnected();
      await connection.closed;
    } finally {
      connection.close();
      this.#connection = undefined;
      this.#tell((listener) => listener.lost());
    }
  }

  /** Returns `undefined` if the protocol is off or cannot be used. */
  async #address(): Promise<RpcAddress | undefined> {
    const { folder, env, hideSecret, log } = this.#options;
    // Not read earlier, because a server without a secret generates one at its start and writes it there.
    const { values } = await readPropertiesFile(path.join(folder, 'server.properties'), JAVA_FORMAT);
    const settings = managementSettings({ properties: values, folder, env });
    if (settings === undefined) return undefined;
    if (typeof settings === 'string') {
      log('warn', `the management protocol is not used: ${settings}`);
      return undefined;
    }
    const { host, secret, keystore } = settings;
    hideSecret(secret);
    const port = this.#announcedPort ?? settings.port;
    if (port === 0) {
      log('warn', 'the management protocol is not used: the server did not print its port');
      return undefined;
    }
    if (!keystore) return { host, port, secret };
    const pfx = await readServerFile(keystore.file);
    if (!pfx) throw new ManagementError('unavailable', 'The keystore of the management server does not exist');
    return { host, port, secret, certificate: await keystoreCertificate(pfx, keystore.password) };
  }

  #notified(method: string, params: unknown): void {
    const player = asPlayer(Array.isArray(params) ? params[0] : params);
    if (player === undefined) return;
    if (method === 'minecraft:notification/players/joined') this.#tell((listener) => listener.joined(player.name));
    if (method === 'minecraft:notification/players/left') this.#tell((listener) => listener.left(player.name));
  }

  #tell(what: (listener: PlayersListener) => void): void {
    for (const listener of this.#listeners) what(listener);
  }
}

/**
 * Returns the certificate (PEM) of a server from its PKCS12 keystore. Such certificates are self-signed, so no authority can verify them, but
 * Gamekeeper can read the file. Throws Node's error if the keystore or the password is wrong.
 */
async function keystoreCertificate(pfx: Buffer, passphrase: string): Promise<string> {
  // Imported here because few servers have a keystore, and it takes two megabytes.
  const { createSecureContext, TLSSocket } = await import('node:tls');
  const secureContext = createSecureContext({ pfx, passphrase });
  // Opens the keystore as a server would. Nothing is ever connected to it.
  const socket = new TLSSocket(new Unconnected(), { isServer: true, secureContext });
  try {
    const certificate = socket.getCertificate();
    if (!certificate || !('raw' in certificate)) throw new Error('the keystore holds no certificate');
    const lines = certificate.raw.toString('base64').match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  } finally {
    socket.destroy();
  }
}

class Unconnected extends Duplex {
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}
