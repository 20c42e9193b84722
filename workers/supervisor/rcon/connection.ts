import type { Socket } from 'node:net';
import { Rcon } from 'rcon-client';
import { decodePacket, encodePacket } from 'rcon-client/lib/packet.js';
import { Exchange } from './exchange.ts';
import { SENTINEL_TYPE, type SentinelTolerance } from './fragments.ts';
import { PacketSplitter } from './packet-splitter.ts';
import { RconError } from './rcon-error.ts';

export interface RconConnectionSetting {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** What an earlier connection to the same server has learned. */
  readonly tolerance: SentinelTolerance;
  /** A clock in milliseconds, for the latency. */
  readonly now: () => number;
}

/**
 * One connection, on top of the `rcon-client` package, which resolves a command on the first packet of its answer, and
 * whose splitter loops for ever on a bad length. This class gives it another splitter and puts the pieces together.
 *
 * One command at a time; deadlines are the caller's, who calls {@link abandon}.
 */
export class RconConnection extends Rcon {
  tolerance: SentinelTolerance;
  /** The last round trip that ran no command: the login's, later a sentinel's. In milliseconds. */
  latencyMs: number | undefined;
  readonly #now: () => number;
  readonly #splitter = new PacketSplitter();
  #connected = false;
  #refusedPassword = false;
  #exchange: Exchange | undefined;
  /** The package numbers its packets from 0, and the login is the first. */
  #nextId = 1;

  constructor({ host, port, password, tolerance, now }: RconConnectionSetting) {
    super({ host, port, password, timeout: NO_TIMEOUT_MS });
    this.tolerance = tolerance;
    this.#now = now;
    // The package emits 'error' before the 'end' that tells us enough, and would throw it if nobody listened.
    this.on('error', () => {});
    this.on('connect', () => this.#replaceSplitter());
    this.on('end', () => this.#exchange?.closed());
    this.#splitter.on('data', (bytes: Buffer) => {
      const packet = decodePacket(bytes);
      if (!this.authenticated) this.#refusedPassword ||= packet.id === REFUSED_ID;
      this.#exchange?.take(packet);
    });
  }

  /** @throws {RconError} `refused`, `password-refused` or `closed-during-login` */
  override async connect(): Promise<this> {
    const begun = this.#now();
    const where = `${this.config.host}:${this.config.port}`;
    try {
      await super.connect();
    } catch (cause) {
      if (!this.#connected) throw new RconError('refused', `Nothing answers RCON on ${where}`, { cause });
      if (this.#refusedPassword) throw new RconError('password-refused', `RCON on ${where} refuses the password`);
      throw new RconError('closed-during-login', `RCON on ${where} hung up during the login`, { cause });
    }
    this.latencyMs = this.#now() - begun;
    return this;
  }

  /**
   * The bytes of the whole answer; `send`, which calls this, decodes them.
   *
   * @throws {RconError} `closed`
   */
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
      // The package's own promise is settled by the first packet, the exchange's by the last.
      const [whole] = await Promise.all([exchange.whole, super.sendRaw(command).catch(() => exchange.closed())]);
      return whole;
    } finally {
      this.#exchange = undefined;
      this.tolerance = exchange.tolerance;
      this.latencyMs = exchange.roundTripMs ?? this.latencyMs;
    }
  }

  /** Ends the connection at once; what waits for it fails. */
  abandon(): void {
    // With an error, since nothing else makes the package notice the end of a connection that is not made yet.
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

/** The longest that a timer can have (24.8 days): the package insists on a timeout, and deadlines are the caller's. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** The id of the answer to a wrong password. */
const REFUSED_ID = -1;
const NO_PAYLOAD = Buffer.alloc(0);
