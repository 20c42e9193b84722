import { SUPERVISOR_STREAMS } from '../shared/contract/streams.ts';
import type { SupervisorRouter } from '../shared/contract/supervisor.ts';
import type { Home } from '../shared/node/home.ts';
import { createIpcClient, type IpcClient } from '../shared/node/ipc/client.ts';
import { isAlive, type ProcessIdentity } from '../shared/node/process-identity.ts';
import { readLivingRecord } from '../shared/node/process-record.ts';

/** A living supervisor and the way to it. */
export interface SupervisorLink {
  readonly socket: string;
  readonly pid: number;
  readonly client: IpcClient<SupervisorRouter>;
  /** True while exactly this process lives. */
  isAlive(): Promise<boolean>;
}

/** The supervisor that serves the instance already, started by this daemon or by one before it; `undefined` if none lives. */
export async function adoptSupervisor(home: Home, id: string): Promise<SupervisorLink | undefined> {
  const record = await readLivingRecord(home.supervisorRecord(id));
  return record && linkTo(id, record);
}

function linkTo(id: string, { socket, ...identity }: ProcessIdentity & { socket: string }): SupervisorLink {
  return {
    socket,
    pid: identity.pid,
    client: createIpcClient<SupervisorRouter>({
      socketPath: socket,
      // The hello is compared with this, so that a recycled path is not taken for the supervisor.
      name: `supervisor:${id}`,
      unavailable: 'worker_unavailable',
      streams: SUPERVISOR_STREAMS,
    }),
    isAlive: () => isAlive(identity),
  };
}
