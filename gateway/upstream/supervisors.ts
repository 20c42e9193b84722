import type { SupervisorRouter } from '../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Calls } from '../../shared/node/ipc/calls.ts';
import { connectSupervisor, type SupervisorClient } from '../../shared/node/ipc/connect.ts';
import { isSilence, Silence } from '../../shared/node/ipc/connection.ts';
import type { Daemon } from './clients.ts';
import type { InstanceView } from './instance-view.ts';
import { traced } from './traced.ts';

export type SupervisorCalls = Calls<SupervisorRouter>;

/** A supervisor answers in a millisecond; one that has not after this hangs, as the daemon's heartbeat has it. */
const ANSWER_WITHIN_MS = 3_000;
/** One that is known to hang may have woken a moment ago: it is asked, but hardly waited for. Milliseconds. */
const WAKE_WITHIN_MS = 250;
/** One proof of life serves every question of this time; an order has its own. Milliseconds. */
const PROOF_LASTS_MS = 250;
/** The daemon ends it about a minute later, and sees to its server. Seconds. */
const HUNG_RETRY_SECONDS = 10;

/** The supervisors, one connection each, dialled when first needed. */
export interface Supervisors {
  /**
   * The calls of an instance's supervisor, which is started where none runs. For calls that must not happen twice. Throws `worker_unavailable`
   * where it hangs: at once where that is known, else within three seconds; then it was told nothing that it could do much later.
   */
  of(id: string): Promise<SupervisorCalls>;
  /** Makes a call that may happen twice: once more when the connection was lost under it. */
  ask<T>(id: string, call: (supervisor: SupervisorCalls) => Promise<T>): Promise<T>;
  /** The calls of an instance's supervisor where one should be there already; asking never starts one. */
  peek(id: string): SupervisorCalls | undefined;
  close(): void;
}

interface Link {
  client: SupervisorClient;
  /** Counts lost connections, to tell a lost one from a slow answer. */
  losses: number;
  /** The address that the view names has just failed: ask the daemon, which starts a supervisor where none runs. */
  distrusted: boolean;
  /** When it has shown last that it lives, by `performance.now()`. */
  provedAt: number;
  proving: Promise<void> | undefined;
}

export function connectSupervisors(daemon: Daemon, view: InstanceView): Supervisors {
  const links = new Map<string, Link>();

  function linkOf(id: string): Link {
    const known = links.get(id);
    if (known) return known;
    const link: Link = {
      client: traced(
        connectSupervisor(id, async () => {
          const cached = link.distrusted ? null : view.find(id)?.socket;
          return cached ?? (await daemon.call.supervisor(id)).socket;
        }),
      ),
      losses: 0,
      distrusted: false,
      provedAt: Number.NEGATIVE_INFINITY,
      proving: undefined,
    };
    link.client.onLost(() => {
      link.losses++;
    });
    links.set(id, link);
    return link;
  }

  async function connect(id: string, { proofLastsMs }: { proofLastsMs: number }): Promise<Link> {
    const { config, runtime } = await view.get(id);
    const link = linkOf(id);
    if (performance.now() - link.provedAt < proofLastsMs) return link;
    link.proving ??= prove(link).finally(() => {
      link.proving = undefined;
    });
    try {
      await (runtime.degraded === 'unresponsive' ? answered(link.proving, WAKE_WITHIN_MS) : link.proving);
    } catch (error) {
      throw isSilence(error) ? hangs(config.name, error) : error;
    }
    return link;
  }

  /** One that hangs keeps its connections and takes what is sent, to act on it when it wakes: so it has to answer first. */
  async function prove(link: Link): Promise<void> {
    const ask = async () => {
      await link.client.hello();
      await link.client.call.status(undefined, { timeoutMs: ANSWER_WITHIN_MS });
    };
    try {
      await ask();
    } catch (error) {
      // Nothing was ordered yet, so a second attempt, at the address that the daemon vouches for, is always safe.
      if (!isUnavailable(error) || isSilence(error)) throw error;
      link.distrusted = true;
      await ask();
    }
    link.distrusted = false;
    link.provedAt = performance.now();
  }

  view.onChange(({ id, after }) => {
    if (after) return;
    links.get(id)?.client.close();
    links.delete(id);
  });

  return {
    of: async (id) => (await connect(id, { proofLastsMs: 0 })).client.call,
    async ask(id, call) {
      const link = await connect(id, { proofLastsMs: PROOF_LASTS_MS });
      const { losses } = link;
      try {
        return await call(link.client.call);
      } catch (error) {
        if (!isUnavailable(error) || link.losses === losses) throw error;
        return call((await connect(id, { proofLastsMs: 0 })).client.call);
      }
    },
    peek(id) {
      const link = linkOf(id);
      // The daemon would be asked for its address, and would start one.
      return link.distrusted || !view.find(id)?.socket ? undefined : link.client.call;
    },
    close() {
      for (const { client } of links.values()) client.close();
      links.clear();
    },
  };
}

/** Waits for a proof of life, but not longer than this. */
async function answered(proof: Promise<void>, withinMs: number): Promise<void> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Silence()), withinMs);
  try {
    await Promise.race([proof, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function hangs(name: string, cause: unknown): GamekeeperError {
  return new GamekeeperError('worker_unavailable', `The process that looks after "${name}" does not answer.`, {
    resolution:
      'Its server may go on meanwhile. If it stays like this for more than a minute, the process is replaced by itself; try again then.',
    retryAfterSeconds: HUNG_RETRY_SECONDS,
    cause,
  });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'worker_unavailable';
}
