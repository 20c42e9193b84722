import { boundAddress } from '../../../shared/domain/port-use.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../own-process/process-log.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { PortLease } from './port-lease.ts';

export interface PortUpkeepOptions {
  config: () => InstanceConfig;
  ports: PortLease;
  lifecycle: Lifecycle;
  sleeper: Sleeper;
  /** Called when what is leased has changed without a transition. */
  onChange: () => void;
  log: Log;
}

/** Has leased what a server listens on, also where no start of ours has seen to that. */
export interface PortUpkeep {
  /** To be called after each transition. */
  update(): void;
  /** To be called with a new configuration: a server that sleeps listens where that says. */
  reconfigured(): Promise<void>;
  /** Does what may change the port. A start sees to what follows itself. */
  mayMove<T>(work: () => Promise<T>): Promise<T>;
}

export function createPortUpkeep({ config, ports, lifecycle, sleeper, onChange, log }: PortUpkeepOptions): PortUpkeep {
  /** For a server that listens without having been started by us just now: it sleeps, or was taken over. */
  async function leaseUnprepared(): Promise<void> {
    const { transport } = rulesOf(config()).definition.gamePort;
    const { values } = await readInstanceFile(config()).catch(() => ({ values: {} as Record<string, string> })); // then it is any address
    const host = boundAddress(values['server-ip']);
    if (sleeper.isYielded) return; // a start leases all that it needs
    await ports
      .take([{ purpose: 'game', transport, port: config().port, ...(host !== undefined && { host }) }])
      .catch((error: unknown) => log('warn', 'the port could not be leased', { error }));
    if (lifecycle.isAtRest) ports.release();
    onChange();
  }

  async function reconfigured(): Promise<void> {
    await sleeper.reconfigured();
    if (lifecycle.phase === 'sleeping' && !sleeper.isYielded) await leaseUnprepared();
  }

  return {
    update() {
      if (lifecycle.isAtRest) ports.release();
      else if (ports.held.length === 0 && lifecycle.phase !== 'provisioning') void leaseUnprepared();
    },
    reconfigured,
    async mayMove(work) {
      const { port } = config();
      const result = await work();
      if (config().port !== port) await reconfigured();
      return result;
    },
  };
}
