import type { SupervisorRouter } from '../../shared/contract/supervisor.ts';
import { GamekeeperError, isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Calls } from '../../shared/node/ipc/calls.ts';
import { connectSupervisor, type SupervisorClient } from '../../shared/node/ipc/connect.ts';
import { isSilence, Silence } from '../../shared/node/ipc/connection.ts';
import type { Daemon } from './clients.ts';
import type { InstanceView } from './instance-view.ts';
import { traced } from './traced.ts';

export type SupervisorCalls = Calls<SupervisorRouter>;

/** The first protocol of a supervisor (shared/contract/call.ts) with seen players, bans that end, and restarts when nobody is online. */
export const WITH_PLAYERS = 3;
/** The first protocol of a supervisor that names the accounts of players. */
export const WITH_ACCOUNTS = 4;
/** The first protocol of a supervisor that reads and sets game rules. */
export const WITH_GAMERULES = 5;
/** A healthy supervisor answers within a millisecond. The daemon's heartbeat uses the same limit to call it unresponsive. Milliseconds. */
const ANSWER_WITHIN_MS = 3_000;
/** A supervisor that the daemon calls unresponsive is still asked, in case it has just recovered. Milliseconds. */
const RECOVER_WITHIN_MS = 250;
/** One proof of life counts for every read within this time; a command needs its own. Milliseconds. */
const PROOF_LASTS_MS = 250;
/** The daemon replaces an unresponsive supervisor after about a minute. */
const HUNG_RETRY_SECONDS = 10;

export interface Supervisors {
  /**
   * Returns the calls of an instance's supervisor, and starts it if none runs. For calls that must not happen twice. Throws
   * `worker_unavailable` if it does not answer: at once if the daemon knows that it hangs, else after three seconds. In that case nothing
   * was sent that it could act on later. `protocol` (call.ts): what the call needs; throws `invalid_state` if an earlier version runs.
   */
  of(id: string, protocol?: number): Promise<SupervisorCalls>;
  /** Makes a call that may happen twice: it is repeated once if the connection is lost. Throws as `of` does. */
  ask<T>(id: string, call: (supervisor: SupervisorCalls) => Promise<T>, protocol?: number): Promise<T>;
  /** Returns the calls of a supervisor that should be running; never starts one. */
  peek(id: string): SupervisorCalls | undefined;
  close(): void;
}

export function connectSupervisors(daemon: Daemon, view: InstanceView): Supervisors {
  const connections = new Map<string, SupervisorConnection>();

  function connectionOf(id: string): SupervisorConnection {
    const connection = connections.get(id) ?? new SupervisorConnection(id, daemon, view);
    connections.set(id, connection);
    return connection;
  }

  async function connect(id: string, proofLastsMs: number, protocol = 0): Promise<SupervisorConnection> {
    const { config, runtime } = await view.get(id);
    const connection = connectionOf(id);
    if (!connection.isProved(proofLastsMs)) {
      const proof = connection.prove();
      try {
        await (runtime.degraded === 'unresponsive' ? within(proof, RECOVER_WITHIN_MS) : proof);
      } catch (error) {
        throw isSilence(error) ? unresponsive(config.name, error) : error;
      }
    }
    if (connection.protocol < protocol) throw earlier(config.name);
    return connection;
  }

  view.onChange(({ id, after }) => {
    if (after) return;
    connections.get(id)?.client.close();
    connections.delete(id);
  });

  return {
    of: async (id, protocol) => (await connect(id, 0, protocol)).client.call,
    async ask(id, call, protocol) {
      const connection = await connect(id, PROOF_LASTS_MS, protocol);
      const { losses } = connection;
      try {
        return await call(connection.client.call);
      } catch (error) {
        if (!isUnavailable(error) || connection.losses === losses) throw error;
        return call((await connect(id, 0, protocol)).client.call);
      }
    },
    peek(id) {
      const connection = connectionOf(id);
      // Without a trusted address, the daemon would be asked for one and would start a supervisor.
      return connection.distrusted || !view.find(id)?.socket ? undefined : connection.client.call;
    },
    close() {
      for (const { client } of connections.values()) client.close();
      connections.clear();
    },
  };
}

class SupervisorConnection {
  readonly client: SupervisorClient;
  /** Counts lost connections, to distinguish a lost one from a slow answer. */
  losses = 0;
  /** True if the address in the view has just failed. Then the daemon is asked for a new one, and starts a supervisor if none runs. */
  distrusted = false;
  /** The one that the supervisor speaks which answered last (call.ts). */
  protocol = 0;
  #provedAt = Number.NEGATIVE_INFINITY;
  #proving: Promise<void> | undefined;

  constructor(id: string, daemon: Daemon, view: InstanceView) {
    this.client = traced(
      connectSupervisor(id, async () => {
        const cached = this.distrusted ? null : view.find(id)?.socket;
        return cached ?? (await daemon.call.supervisor(id)).socket;
      }),
    );
    this.client.onLost(() => {
      this.losses++;
    });
  }

  isProved(proofLastsMs: number): boolean {
    return performance.now() - this.#provedAt < proofLastsMs;
  }

  /**
   * Resolves once the supervisor has answered. A process that hangs keeps its connections, and reads pending messages when it wakes up, so
   * it must answer before it is sent a command.
   */
  prove(): Promise<void> {
    this.#proving ??= this.#prove().finally(() => {
      this.#proving = undefined;
    });
    return this.#proving;
  }

  async #prove(): Promise<void> {
    try {
      await this.#askStatus();
    } catch (error) {
      // No command was sent yet, so a second attempt, at the address that the daemon returns, is always safe.
      if (!isUnavailable(error) || isSilence(error)) throw error;
      this.distrusted = true;
      await this.#askStatus();
    }
    this.distrusted = false;
    this.#provedAt = performance.now();
  }

  async #askStatus(): Promise<void> {
    this.protocol = (await this.client.hello()).protocol;
    await this.client.call.status(undefined, { timeoutMs: ANSWER_WITHIN_MS });
  }
}

/** Waits for a proof of life. Rejects with `Silence` after `ms`. */
async function within(proof: Promise<void>, ms: number): Promise<void> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Silence()), ms);
  try {
    await Promise.race([proof, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function unresponsive(name: string, cause: unknown): GamekeeperError {
  return new GamekeeperError('worker_unavailable', `The process that manages "${name}" does not answer.`, {
    resolution:
      'Its game server may still be running. If this lasts longer than a minute, the process is replaced automatically; try again then.',
    retryAfterSeconds: HUNG_RETRY_SECONDS,
    cause,
  });
}

function earlier(name: string): GamekeeperError {
  return new GamekeeperError(
    'invalid_state',
    `The process that manages "${name}" is of an earlier version of Gamekeeper, which cannot do this.`,
    { resolution: 'Restart the server, then try again.' },
  );
}

function isUnavailable(error: unknown): boolean {
  return isGamekeeperError(error, 'worker_unavailable');
}
