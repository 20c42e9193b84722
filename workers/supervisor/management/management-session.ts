import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackOff, backOffDelay } from '../../../shared/domain/back-off.ts';
import { readServerFile } from '../../../shared/node/files/server-file.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { Log } from '../own-process/process-log.ts';
import { readPropertiesFile } from '../properties/properties-file.ts';
import { JAVA_FORMAT } from '../properties/properties-format.ts';
import { keystoreCertificate } from './keystore-certificate.ts';
import { ManagementError } from './management-error.ts';
import { managementSettings } from './management-settings.ts';
import { asPlayer, asPlayers, type ManagedPlayer } from './player-dto.ts';
import { openRpcConnection, type RpcAddress, type RpcConnection } from './rpc-connection.ts';

/** How often a server that has its management protocol on, and cannot be reached, is tried. */
const BACK_OFF: BackOff = { firstMs: 1_000, maxMs: 60_000 };
const LIST_TIMEOUT_MS = 3_000;
/** Vanilla says so before it is ready, so that no player can have typed it. */
const LISTENING = /^Json-RPC Management connection listening on \S*:(\d{1,5})$/;

export interface ManagementSessionOptions {
  /** With `server.properties`. */
  folder: string;
  /** Of the server's process. */
  env: Readonly<Record<string, string | undefined>>;
  lines: LineFeed;
  /** Hides a secret from the console from now on. */
  hideSecret: (secret: string) => void;
  log: Log;
  backOff?: BackOff;
}

/** Told who plays by a server that says so itself. */
export interface PlayersListener {
  /** All who play now; from now on the server tells every change. */
  all(names: readonly string[]): void;
  joined(name: string): void;
  left(name: string): void;
  /** The server tells nothing any more. */
  lost(): void;
}

/**
 * The management protocol of one run of a server (Minecraft 1.21.9 and later), where its owner has turned it on: connected once the server
 * is ready, and again when the connection is lost. Nothing waits for that: without a connection every call fails at once.
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

  /** To be called when the server is ready. */
  start(): void {
    this.#stopListening();
    void this.#keepConnected();
  }

  close(): void {
    this.#stopListening();
    this.#closing.abort();
    this.#connection?.close();
  }

  /** Tells `listener` who plays, from the next connection on. Returns how to stop it. */
  onPlayers(listener: PlayersListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls a method.
   *
   * @throws {ManagementError}
   */
  async call(method: string, params: readonly unknown[], options: { timeoutMs: number }): Promise<unknown> {
    if (!this.#connection) throw new ManagementError('unavailable', 'There is no connection to the management server');
    return this.#connection.call(method, params, options);
  }

  /**
   * Who plays now.
   *
   * @throws {ManagementError}
   */
  async players(): Promise<ManagedPlayer[]> {
    return asPlayers(await this.call('minecraft:players', [], { timeoutMs: LIST_TIMEOUT_MS }));
  }

  async #keepConnected(): Promise<void> {
    const { log, backOff = BACK_OFF } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    let hasComplained = false;
    while (!signal.aborted) {
      try {
        const address = await this.#address();
        if (address === undefined) return;
        await this.#stayConnected(address, () => {
          log('info', 'connected to the management server');
          failures = 0;
          hasComplained = false;
        });
      } catch (error) {
        if (!hasComplained && !signal.aborted)
          log('warn', 'no connection to the management server; it is tried again', { error });
        hasComplained = true;
      }
      failures++;
      await sleep(backOffDelay(backOff, failures, 0), undefined, { signal }).catch(() => undefined); // closed: the loop ends
    }
  }

  /** Resolves when the connection has ended: servers that stop hang up. */
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

  /** `undefined`: there is none, or none that we may use. */
  async #address(): Promise<RpcAddress | undefined> {
    const { folder, env, hideSecret, log } = this.#options;
    // Read now: a server without a secret has made one and written it there.
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
      log('warn', 'the management protocol is not used: the server did not say on which port it is');
      return undefined;
    }
    if (!keystore) return { host, port, secret };
    const pfx = await readServerFile(keystore.file);
    if (!pfx) throw new ManagementError('unavailable', 'The keystore of the management server is not there');
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
