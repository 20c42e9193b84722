import { Answer, type Packet, type SentinelTolerance } from './fragments.ts';
import { QuietTimer } from './quiet-timer.ts';
import { RconError } from './rcon-error.ts';

export interface ExchangeSetting {
  /** The id of the command's packet. */
  readonly id: number;
  readonly tolerance: SentinelTolerance;
  readonly sendSentinel: (id: number) => void;
  /** A clock in milliseconds, for the latency. */
  readonly now: () => number;
}

/** One command on its way: does what {@link Answer} decides, and keeps its times. */
export class Exchange {
  /** The bytes of the whole answer; rejects with an {@link RconError}. */
  readonly whole: Promise<Buffer>;
  /** How long the server took to answer the sentinel. */
  roundTripMs: number | undefined;
  readonly #setting: ExchangeSetting;
  readonly #answer: Answer;
  readonly #quiet = new QuietTimer();
  readonly #outcome = Promise.withResolvers<Buffer>();
  #sentinelSentAt = 0;

  constructor(setting: ExchangeSetting) {
    this.#setting = setting;
    this.#answer = new Answer(setting.id, setting.tolerance);
    this.whole = this.#outcome.promise;
  }

  /** What has been learned about the server. */
  get tolerance(): SentinelTolerance {
    return this.#answer.tolerance;
  }

  take(packet: Packet): void {
    switch (this.#answer.take(packet)) {
      case 'ask-for-the-end':
        this.#sentinelSentAt = this.#setting.now();
        this.#setting.sendSentinel(this.#answer.sentinelId);
        this.#awaitSentinel();
        break;
      case 'wait':
        this.#awaitSentinel();
        break;
      case 'wait-for-quiet':
        this.#quiet.restart(QUIET_MS, () => this.#finish());
        break;
      case 'whole':
        if (this.#sentinelSentAt > 0) this.roundTripMs = this.#setting.now() - this.#sentinelSentAt;
        this.#finish();
        break;
      case 'too-long':
        this.fail(new RconError('closed', 'The answer over RCON does not end'));
        break;
      case 'ignore':
    }
  }

  /** The connection is gone. */
  closed(): void {
    if (this.#answer.closed()) this.#finish();
    else this.fail(new RconError('closed', 'The server closed RCON before its answer was complete'));
  }

  fail(error: RconError): void {
    this.#quiet.stop();
    this.#outcome.reject(error);
  }

  #finish(): void {
    this.#quiet.stop();
    this.#outcome.resolve(this.#answer.bytes);
  }

  /** A server that is known to answer sentinels gets all the time there is; any other answers soon, or not at all. */
  #awaitSentinel(): void {
    if (this.#answer.tolerance !== 'unknown') return;
    this.#quiet.restart(SENTINEL_PATIENCE_MS, () => {
      this.#answer.sentinelIgnored();
      this.#finish();
    });
  }
}

/** The pieces of an answer follow each other at once; this is longer than any pause seen between two. */
const QUIET_MS = 100;
/** A server answers the sentinel as soon as it has sent the answer; on a busy machine that may take a moment. */
const SENTINEL_PATIENCE_MS = 1_000;
