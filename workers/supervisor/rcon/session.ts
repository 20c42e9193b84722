import { backOffDelay } from '../../../shared/domain/back-off.ts';
import { observe } from '../../../shared/domain/histogram.ts';
import { RconConnection } from './connection.ts';
import type { SentinelTolerance } from './fragments.ts';
import { RconError } from './rcon-error.ts';
import { createRconTally, type RconTally } from './tally.ts';

export interface RconSessionSetting {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  /** Counts what happens. */
  readonly tally?: RconTally;
}

/** RCON to one run of one server. */
export interface RconSession {
  /**
   * Runs a command and resolves to its whole answer. Commands wait for each other; the deadline covers that too, and a
   * command whose deadline passes while it waits is never sent. After a failure to connect, for a moment that doubles
   * up to 5 s, commands fail at once with the same reason.
   *
   * @throws {RconError} whose `reason` says why there is no answer
   * @throws {RangeError} if the command has more than {@link LONGEST_COMMAND} bytes
   */
  run(command: string, options: { timeoutMs: number }): Promise<string>;
  readonly state: RconState;
  /** Whether a command waits for its turn or for its answer. */
  readonly isBusy: boolean;
  /** How long the server took for its last answer that ran no command, in milliseconds; undefined before the first login. */
  readonly latencyMs: number | undefined;
  /** Ends the session; what waits fails with `closed`. */
  close(): void;
}

export type RconState = 'idle' | 'connecting' | 'connected' | 'closed';

/** In UTF-8 bytes. Vanilla reads 1,460 at once and drops the connection at anything longer. */
export const LONGEST_COMMAND = 1446;

/**
 * A session that connects with the first command, keeps the connection, and connects again when it was lost. It learns
 * how the server marks the end of its answers, so it is to be used for one run of the server only.
 */
export function createRconSession(setting: RconSessionSetting): RconSession {
  return new Session(setting);
}

/** A login takes a round trip; a server that does not answer it is stuck, and who waits should hear so. */
const LOGIN_MS = 5_000;
const BACK_OFF = { firstMs: 250, maxMs: 5_000 };

class Session implements RconSession {
  readonly #setting: Required<RconSessionSetting>;
  /** One for each command that is not settled yet; aborted with the error that it then fails with. */
  readonly #open = new Set<AbortController>();
  #lastTurn: Promise<unknown> = Promise.resolve();
  #state: RconState = 'idle';
  /** The one that is being made or in use. */
  #connection: RconConnection | undefined;
  #tolerance: SentinelTolerance = 'unknown';
  #latencyMs: number | undefined;
  #failures = 0;
  #lastFailure: RconError | undefined;
  #retryAt = 0;

  constructor(setting: RconSessionSetting) {
    this.#setting = { now: () => performance.now(), tally: createRconTally(), ...setting };
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
      throw new RangeError(`A command over RCON can have ${LONGEST_COMMAND} bytes; this one has ${bytes}`);
    }
    if (this.#state === 'closed') throw sessionClosed();
    const over = new AbortController();
    this.#open.add(over);
    const timer = setTimeout(() => over.abort(noAnswer(timeoutMs)), timeoutMs);
    const turn = this.#lastTurn.then(() => this.#perform(command, over.signal));
    this.#lastTurn = turn.catch(() => {}); // Its caller hears of it; the next command runs all the same.
    try {
      return await unlessAborted(turn, over.signal);
    } catch (error) {
      if (!this.#isClosed) this.#setting.tally.errors++;
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

  /** Ended by us: what it leaves unanswered is nobody's fault. */
  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  async #perform(command: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const connection = this.#connection ?? (await this.#connect(signal));
    signal.throwIfAborted();
    const abandon = (): void => this.#abandon(connection);
    signal.addEventListener('abort', abandon);
    const sentAt = this.#setting.now();
    try {
      const answer = await connection.send(command);
      observe(this.#setting.tally.latency, (this.#setting.now() - sentAt) / 1000);
      this.#failures = 0;
      return answer;
    } catch (error) {
      // Whatever went wrong, what else comes on this connection must not meet the next command.
      this.#abandon(connection);
      throw this.#failed(signal.aborted ? signal.reason : error);
    } finally {
      signal.removeEventListener('abort', abandon);
      this.#tolerance = connection.tolerance;
      this.#latencyMs = connection.latencyMs;
    }
  }

  async #connect(signal: AbortSignal): Promise<RconConnection> {
    if (this.#lastFailure && this.#setting.now() < this.#retryAt) throw again(this.#lastFailure);
    const connection = new RconConnection({ ...this.#setting, tolerance: this.#tolerance });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(noAnswer(LOGIN_MS)), LOGIN_MS);
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
    this.#setting.tally.connections++;
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
    const failure = error instanceof RconError ? error : new RconError('closed', 'RCON broke off', { cause: error });
    this.#failures += 1;
    this.#lastFailure = failure;
    // One server, one session: there is nobody to keep apart by jitter.
    this.#retryAt = this.#setting.now() + backOffDelay(BACK_OFF, this.#failures, 0);
    return failure;
  }
}

/** What `turn` comes to, or at once the reason of the signal. */
async function unlessAborted<T>(turn: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([turn, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function noAnswer(ms: number): RconError {
  return new RconError('timeout', `The server did not answer over RCON within ${ms} ms`);
}

function sessionClosed(): RconError {
  return new RconError('closed', 'The RCON session is closed');
}

function again(failure: RconError): RconError {
  return new RconError(failure.reason, failure.message, { cause: failure });
}
