import type { Socket } from 'node:net';
import { Rcon } from 'rcon-client';
import { decodePacket, encodePacket } from 'rcon-client/lib/packet.js';
import { Exchange } from './exchange.ts';
import { SENTINEL_TYPE, type SentinelTolerance } from './fragments.ts';
import { PacketSplitter } from './packet-splitter.ts';
import { RconError } from './rcon-error.ts';

export interface RconConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** What an earlier connection to the same server learned. */
  readonly tolerance: SentinelTolerance;
  /** A clock in milliseconds, for the latency. */
  readonly now: () => number;
}

/**
 * One connection. Works around two faults of the `rcon-client` package: it resolves a command at the first packet of the answer, and its
 * splitter loops forever on a bad length. This class replaces the splitter and joins the packets.
 *
 * Runs one command at a time. The caller keeps the deadlines and calls {@link abandon}.
 */
export class RconConnection extends Rcon {
  tolerance: SentinelTolerance;
  /** The last round trip without a command (the login, later a sentinel), in milliseconds. */
  latencyMs: number | undefined;
  readonly #now: () => number;
  readonly #splitter = new PacketSplitter();
  #connected = false;
  #refusedPassword = false;
  #exchange: Exchange | undefined;
  /** The package numbers its packets from 0, and the login is the first. */
  #nextId = 1;

  constructor({ host, port, password, tolerance, now }: RconConnectionOptions) {
    super({ host, port, password, timeout: NO_TIMEOUT_MS });
    this.tolerance = tolerance;
    this.#now = now;
    // The package emits 'error' before 'end', which is enough here. Without a listener Node would throw the error.
    this.on('error', () => {});
    this.on('connect', () => this.#replaceSplitter());
    this.on('end', () => this.#exchange?.closed());
    this.#splitter.on('data', (bytes: Buffer) => {
      const packet = decodePacket(bytes);
      if (!this.authenticated) this.#refusedPassword ||= packet.id === REFUSED_ID;
      this.#exchange?.take(packet);
    });
  }

  /** Throws RconError `refused`, `password-refused` or `closed-during-login`. */
  override async connect(): Promise<this> {
    const begun = this.#now();
    const where = `${this.config.host}:${this.config.port}`;
    try {
      await super.connect();
    } catch (cause) {
      if (!this.#connected) throw new RconError('refused', `Cannot connect to RCON on ${where}`, { cause });
      if (this.#refusedPassword) throw new RconError('password-refused', `RCON on ${where} rejected the password`);
      throw new RconError('closed-during-login', `RCON on ${where} closed the connection during the login`, { cause });
    }
    this.latencyMs = this.#now() - begun;
    return this;
  }

  /** Resolves to the bytes of the whole answer. `send`, which calls this, decodes them. Throws RconError `closed`. */
  override async sendRaw(command: Buffer): Promise<Buffer> {
    const exchange = new Exchange({
      id: this.#nextId,
      tolerance: this.tolerance,
      sendSentinel: (id) => this.socket?.write(encodePacket({ id, type: SENTINEL_TYPE, payload: NO_PAYLOAD })),
      now: this.#now,
    });
    this.#nextId += 1;
    this.#exchange = exchange;
    try {
      // The package's promise settles with the first packet, the exchange's with the last.
      const [whole] = await Promise.all([exchange.whole, super.sendRaw(command).catch(() => exchange.closed())]);
      return whole;
    } finally {
      this.#exchange = undefined;
      this.tolerance = exchange.tolerance;
      this.latencyMs = exchange.roundTripMs ?? this.latencyMs;
    }
  }

  /** Closes the connection at once, and fails the pending command. */
  abandon(): void {
    // With an error: only that makes the package notice the end while it is still connecting.
    this.socket?.destroy(new Error('abandoned'));
  }

  /** Runs just before the package pipes the socket into its own splitter. */
  #replaceSplitter(): void {
    const socket = this.socket as Socket;
    this.#connected = true;
    const pipe = socket.pipe.bind(socket);
    Object.defineProperty(socket, 'pipe', { value: () => pipe(this.#splitter) });
    this.#splitter.on('error', (error) => socket.destroy(error));
  }
}

/** The maximum of a Node.js timer (24.8 days). The package requires a timeout, but the caller keeps the deadlines. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** The id of the answer to a wrong password. */
const REFUSED_ID = -1;
const NO_PAYLOAD = Buffer.alloc(0);
