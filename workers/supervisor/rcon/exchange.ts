import { Answer, type Packet, type SentinelTolerance } from './fragments.ts';
import { RconError } from './rcon-error.ts';

export interface ExchangeOptions {
  /** The id of the command's packet. */
  readonly id: number;
  readonly tolerance: SentinelTolerance;
  readonly sendSentinel: (id: number) => void;
  /** A clock in milliseconds, for the latency. */
  readonly now: () => number;
}

/** One command in flight: carries out the decisions of {@link Answer}, and measures times. */
export class Exchange {
  /** Resolves to the bytes of the whole answer, or rejects with an {@link RconError}. */
  readonly whole: Promise<Buffer>;
  /** How long the server took to answer the sentinel. */
  roundTripMs: number | undefined;
  readonly #options: ExchangeOptions;
  readonly #answer: Answer;
  readonly #quiet = new QuietTimer();
  readonly #outcome = Promise.withResolvers<Buffer>();
  #sentinelSentAt = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#answer = new Answer(options.id, options.tolerance);
    this.whole = this.#outcome.promise;
  }

  get tolerance(): SentinelTolerance {
    return this.#answer.tolerance;
  }

  take(packet: Packet): void {
    switch (this.#answer.take(packet)) {
      case 'send-sentinel':
        this.#sentinelSentAt = this.#options.now();
        this.#options.sendSentinel(this.#answer.sentinelId);
        this.#awaitSentinel();
        break;
      case 'wait':
        this.#awaitSentinel();
        break;
      case 'wait-for-quiet':
        this.#quiet.restart(QUIET_MS, () => this.#finish());
        break;
      case 'whole':
        if (this.#sentinelSentAt > 0) this.roundTripMs = this.#options.now() - this.#sentinelSentAt;
        this.#finish();
        break;
      case 'too-long':
        this.fail(new RconError('closed', 'The RCON answer exceeds 4 MiB'));
        break;
      case 'ignore':
    }
  }

  /** The connection has ended. */
  closed(): void {
    if (this.#answer.closed()) this.#finish();
    else this.fail(new RconError('closed', 'The server closed the RCON connection before its answer was complete'));
  }

  fail(error: RconError): void {
    this.#quiet.stop();
    this.#outcome.reject(error);
  }

  #finish(): void {
    this.#quiet.stop();
    this.#outcome.resolve(this.#answer.bytes);
  }

  /** Waits without a limit for a server that is known to answer sentinels; others answer soon or never. */
  #awaitSentinel(): void {
    if (this.#answer.tolerance !== 'unknown') return;
    this.#quiet.restart(SENTINEL_PATIENCE_MS, () => {
      this.#answer.sentinelIgnored();
      this.#finish();
    });
  }
}

/** Longer than any pause that was seen between two pieces of an answer. */
const QUIET_MS = 100;
/** A server answers the sentinel right after the answer; on a busy machine that may take a moment. */
const SENTINEL_PATIENCE_MS = 1_000;

/**
 * Calls back after a time without a restart. If this process was held up, it first looks at what has arrived meanwhile: Node.js runs late
 * timers before it reads from sockets, and `setImmediate` callbacks after that.
 */
class QuietTimer {
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  restart(ms: number, onQuiet: () => void): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#immediate = setImmediate(onQuiet);
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }
}
