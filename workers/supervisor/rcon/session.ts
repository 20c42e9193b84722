import { backOffDelay } from '../../../shared/domain/back-off.ts';
import { observe } from '../../../shared/domain/histogram.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { unlessAborted } from '../../../shared/node/primitives/unless-aborted.ts';
import { RconConnection } from './connection.ts';
import type { SentinelTolerance } from './fragments.ts';
import { RconError, wasNotSent } from './rcon-error.ts';
import { createRconTally, type RconTally } from './tally.ts';

export interface RconSessionOptions {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Totals to count in. */
  readonly tally?: RconTally;
}

/** The RCON of one run of a server. */
export interface RconSession {
  /**
   * Runs a command and resolves to its whole answer. Commands run one at a time. The timeout includes the wait, and a command that times
   * out while it waits is never sent. After a failure, commands fail at once without being sent, for a time that doubles up to
   * 5 s. Throws RconError if there is no answer, RangeError if the command has more than {@link LONGEST_COMMAND} bytes.
   */
  run(command: string, options: { timeoutMs: number }): Promise<string>;
  readonly state: RconState;
  /** True while a command waits or runs. */
  readonly isBusy: boolean;
  /** The last round trip without a command, in milliseconds; undefined before the first login. */
  readonly latencyMs: number | undefined;
  /** Ends the session. Commands that wait or run fail with `closed`. */
  close(): void;
}

export type RconState = 'idle' | 'connecting' | 'connected' | 'closed';

/** In bytes of UTF-8. Vanilla reads 1,460 bytes at once and drops the connection at a longer packet. */
export const LONGEST_COMMAND = 1446;

/**
 * Creates a session that connects with the first command, keeps the connection, and connects again after losing it. It learns how the server
 * marks the end of its answers, so use it for one run of the server only.
 */
export function createRconSession(options: RconSessionOptions): RconSession {
  return new Session(options);
}

/** A login takes one round trip. A server that does not answer it in this time is stuck. */
const LOGIN_MS = 5_000;
const BACK_OFF = { firstMs: 250, maxMs: 5_000 };

class Session implements RconSession {
  readonly #options: Required<RconSessionOptions>;
  /** One for each command that waits or runs; it is aborted with the command's error. */
  readonly #open = new Set<AbortController>();
  readonly #mutex = createMutex();
  #state: RconState = 'idle';
  /** Connecting or in use. */
  #connection: RconConnection | undefined;
  #tolerance: SentinelTolerance = 'unknown';
  #latencyMs: number | undefined;
  #failures = 0;
  #lastFailure: RconError | undefined;
  #retryAt = 0;

  constructor(options: RconSessionOptions) {
    this.#options = { now: () => performance.now(), tally: createRconTally(), ...options };
  }

  get state(): RconState {
    return this.#state;
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  get latencyMs(): number | undefined {
    return this.#latencyMs;
  }

  async run(command: string, { timeoutMs }: { timeoutMs: number }): Promise<string> {
    const bytes = Buffer.byteLength(command);
    if (bytes > LONGEST_COMMAND) {
      throw new RangeError(`An RCON command can have at most ${LONGEST_COMMAND} bytes; this one has ${bytes}`);
    }
    if (this.#state === 'closed') throw sessionClosed();
    const over = new AbortController();
    this.#open.add(over);
    const timer = setTimeout(() => over.abort(noAnswer(timeoutMs)), timeoutMs);
    const turn = this.#mutex.run(() => this.#perform(command, over.signal));
    try {
      return await unlessAborted(turn, over.signal);
    } catch (error) {
      if (!this.#isClosed) this.#options.tally.errors++; // not an error: close() ended the command
      throw error;
    } finally {
      clearTimeout(timer);
      this.#open.delete(over);
    }
  }

  close(): void {
    this.#state = 'closed';
    for (const over of this.#open) over.abort(sessionClosed());
    this.#connection?.abandon();
  }

  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  async #perform(command: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const connection = this.#connection ?? (await this.#connect(signal));
    signal.throwIfAborted();
    const abandon = (): void => this.#abandon(connection);
    signal.addEventListener('abort', abandon);
    const sentAt = this.#options.now();
    try {
      const answer = await connection.send(command);
      observe(this.#options.tally.latency, (this.#options.now() - sentAt) / 1000);
      this.#failures = 0;
      return answer;
    } catch (error) {
      // A late answer on this connection must not reach the next command.
      this.#abandon(connection);
      throw this.#failed(signal.aborted ? signal.reason : error);
    } finally {
      signal.removeEventListener('abort', abandon);
      this.#tolerance = connection.tolerance;
      this.#latencyMs = connection.latencyMs;
    }
  }

  async #connect(signal: AbortSignal): Promise<RconConnection> {
    if (this.#lastFailure && this.#options.now() < this.#retryAt) throw again(this.#lastFailure);
    const connection = new RconConnection({ ...this.#options, tolerance: this.#tolerance });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(noLogin()), LOGIN_MS);
    const onAbort = (): void => late.abort(signal.reason);
    signal.addEventListener('abort', onAbort);
    late.signal.addEventListener('abort', () => this.#abandon(connection));
    connection.on('end', () => this.#forget(connection));
    this.#connection = connection;
    this.#state = 'connecting';
    try {
      await connection.connect();
    } catch (error) {
      this.#forget(connection);
      throw this.#failed(late.signal.aborted ? late.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
    this.#state = 'connected';
    this.#options.tally.connections++;
    return connection;
  }

  #abandon(connection: RconConnection): void {
    connection.abandon();
    this.#forget(connection);
  }

  #forget(connection: RconConnection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#state !== 'closed') this.#state = 'idle';
  }

  #failed(error: unknown): RconError {
    const failure =
      error instanceof RconError ? error : new RconError('closed', 'The RCON connection failed', { cause: error });
    this.#failures += 1;
    this.#lastFailure = failure;
    // Without jitter: no other session competes for this server.
    this.#retryAt = this.#options.now() + backOffDelay(BACK_OFF, this.#failures, 0);
    return failure;
  }
}

function noAnswer(ms: number): RconError {
  return new RconError('timeout', `The server did not answer over RCON within ${ms} ms`);
}

function noLogin(): RconError {
  return new RconError('login-timeout', `The server did not answer the RCON login within ${LOGIN_MS} ms`);
}

function sessionClosed(): RconError {
  return new RconError('closed', 'The RCON session is closed');
}

function again(failure: RconError): RconError {
  return new RconError(wasNotSent(failure) ? failure.reason : 'not-tried', failure.message, { cause: failure });
}
