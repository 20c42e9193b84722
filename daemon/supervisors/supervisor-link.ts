import { protocolOf } from '../../shared/contract/call.ts';
import { VERSION } from '../../shared/domain/version.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { connectSupervisor, type SupervisorClient } from '../../shared/node/ipc/connect.ts';
import { isAlive } from '../../shared/node/processes/process-identity.ts';
import { readLivingRecord, type SupervisorRecord } from '../../shared/node/processes/process-record.ts';

/** A living supervisor and a client of it. */
export interface SupervisorLink {
  readonly socket: string;
  readonly pid: number;
  /** False if this daemon does not speak its protocol. It is then left alone. */
  readonly isCompatible: boolean;
  /** Whether its version differs from this daemon's, but is compatible. */
  isOutdated(): Promise<boolean>;
  readonly client: SupervisorClient;
  /** True while exactly this process lives. */
  isAlive(): Promise<boolean>;
}

/** Returns the instance's living supervisor, whichever daemon started it. */
export async function findSupervisor(home: Home, id: string): Promise<SupervisorLink | undefined> {
  const record = await readLivingRecord(home.supervisorRecord(id));
  return record && linkTo(id, record);
}

function linkTo(id: string, { socket, protocol, ...identity }: SupervisorRecord): SupervisorLink {
  const { oldest, newest } = protocolOf(`supervisor:${id}`);
  const client = connectSupervisor(id, socket);
  return {
    socket,
    pid: identity.pid,
    client,
    isCompatible: protocol >= oldest && protocol <= newest,
    isOutdated: async () => protocol !== newest || (await client.hello()).version !== VERSION,
    isAlive: () => isAlive(identity),
  };
}
