import { SUPERVISOR_STREAMS } from '../../shared/contract/streams.ts';
import type { SupervisorRouter } from '../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Calls } from '../../shared/node/ipc/calls.ts';
import { createIpcClient, type IpcClient } from '../../shared/node/ipc/client.ts';
import type { Daemon } from './daemon.ts';
import type { InstanceView } from './instance-view.ts';
import { traced } from './traced.ts';

export type SupervisorCalls = Calls<SupervisorRouter>;

/** The supervisors, one connection each, dialled when first needed. */
export interface Supervisors {
  /** The calls of an instance's supervisor, which is started where none runs. For calls that must not happen twice. */
  of(id: string): Promise<SupervisorCalls>;
  /** Makes a call that may happen twice: once more when the connection was lost under it. */
  ask<T>(id: string, call: (supervisor: SupervisorCalls) => Promise<T>): Promise<T>;
  /** The calls of an instance's supervisor where one should be there already; asking never starts one. */
  peek(id: string): SupervisorCalls | undefined;
  close(): void;
}

interface Link {
  client: IpcClient<SupervisorRouter>;
  /** Counts lost connections, to tell a lost one from a slow answer. */
  losses: number;
  /** The address that the view names has just failed: ask the daemon, which starts a supervisor where none runs. */
  distrusted: boolean;
}

export function connectSupervisors(daemon: Daemon, view: InstanceView): Supervisors {
  const links = new Map<string, Link>();

  function linkOf(id: string): Link {
    const known = links.get(id);
    if (known) return known;
    const link: Link = {
      client: traced(
        createIpcClient<SupervisorRouter>({
          socketPath: async () => {
            const cached = link.distrusted ? null : view.find(id)?.socket;
            return cached ?? (await daemon.call.supervisor(id)).socket;
          },
          name: `supervisor:${id}`,
          unavailable: 'worker_unavailable',
          streams: SUPERVISOR_STREAMS,
        }),
      ),
      losses: 0,
      distrusted: false,
    };
    link.client.onLost(() => {
      link.losses++;
    });
    links.set(id, link);
    return link;
  }

  async function connect(id: string): Promise<Link> {
    await view.get(id);
    const link = linkOf(id);
    try {
      await link.client.hello();
    } catch (error) {
      // Nothing was sent yet, so a second attempt, at the address that the daemon vouches for, is always safe.
      if (!isUnavailable(error)) throw error;
      link.distrusted = true;
      await link.client.hello();
    }
    link.distrusted = false;
    return link;
  }

  view.onChange(({ id, after }) => {
    if (after) return;
    links.get(id)?.client.close();
    links.delete(id);
  });

  return {
    of: async (id) => (await connect(id)).client.call,
    async ask(id, call) {
      const link = await connect(id);
      const { losses } = link;
      try {
        return await call(link.client.call);
      } catch (error) {
        if (!isUnavailable(error) || link.losses === losses) throw error;
        return call((await connect(id)).client.call);
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

function isUnavailable(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'worker_unavailable';
}
