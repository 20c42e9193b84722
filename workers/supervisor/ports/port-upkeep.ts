import { boundAddress } from '../../../shared/domain/instance/port-use.ts';
import { gameTransport } from '../../../shared/domain/software/game-transport.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../own-process/process-log.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { SleepingPort } from '../sleep/sleeping-port.ts';
import type { PortLease } from './port-lease.ts';

export interface PortUpkeepOptions {
  settings: InstanceSettings;
  lease: PortLease;
  lifecycle: Lifecycle;
  sleep: { sleeper: Sleeper; port: SleepingPort };
  /** Called when the leased ports have changed without a change of the lifecycle. */
  onChange: () => void;
  log: Log;
}

/** Keeps the port of a server leased that listens without a start by this supervisor: it sleeps, or was recovered. */
export interface PortUpkeep {
  update(): void;
  /** Call this after a new configuration: a sleeping server has to listen on its port. */
  reconfigured(): Promise<void>;
  whileMoving<T>(work: () => Promise<T>): Promise<T>;
}

export function createPortUpkeep(options: PortUpkeepOptions): PortUpkeep {
  const { settings, lease, lifecycle, sleep, onChange, log } = options;

  async function takeGamePort(): Promise<void> {
    const { definition } = rulesOf(settings.current);
    const { values } = await readInstanceFile(settings.current).catch(() => ({ values: {} as Record<string, string> })); // then any address
    const host = boundAddress(values['server-ip']);
    if (sleep.port.isYielded) return; // a start leases every port that it needs
    const { port, version } = settings.current;
    const transport = gameTransport(definition, version, values);
    await lease
      .take([{ purpose: 'game', transport, port, ...(host !== undefined && { host }) }])
      .catch((error: unknown) => log('warn', 'the port could not be leased', { error }));
    if (lifecycle.isAtRest) lease.release();
    onChange();
  }

  async function reconfigured(): Promise<void> {
    await sleep.sleeper.reconfigured();
    if (lifecycle.phase === 'sleeping' && !sleep.port.isYielded) await takeGamePort();
  }

  return {
    update() {
      if (lifecycle.isAtRest) lease.release();
      else if (lease.held.length === 0 && lifecycle.phase !== 'provisioning') void takeGamePort();
    },
    reconfigured,
    async whileMoving(work) {
      const { port } = settings.current;
      const result = await work();
      if (settings.current.port !== port) await reconfigured();
      return result;
    },
  };
}
