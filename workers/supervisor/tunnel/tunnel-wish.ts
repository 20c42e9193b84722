import type { TunnelTarget } from '../../../shared/contract/tunnel.ts';
import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';
import { isToRun } from '../../../shared/domain/instance/runtime.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';

const LOOPBACK = '127.0.0.1';

export interface TunnelNeeds {
  config: Pick<InstanceConfig, 'tunnel' | 'port'>;
  /** Absent if its kind does not exist any more: such a server cannot be up. */
  definition: Pick<SoftwareDefinition, 'listPing' | 'edition' | 'gamePort'> | undefined;
  runtime: Pick<InstanceRuntime, 'phase' | 'javaProgram'>;
  /** Where the game listens; absent without a process. */
  address: { host: string; port: number } | undefined;
}

/** Returns the tunnel that a server should have now: one that is up, sleeps or is about to restart has the one of its settings. */
export function tunnelWish({
  config: { tunnel, port },
  definition,
  runtime,
  address,
}: TunnelNeeds): { settings: TunnelSettings; target: TunnelTarget } | undefined {
  if (tunnel === undefined || !definition || !isToRun(runtime)) return undefined;
  const { host, port: gamePortNow } = address ?? { host: LOOPBACK, port };
  const answers = runtime.phase === 'running' || runtime.phase === 'sleeping';
  const probe = definition.listPing ? definition.edition : definition.gamePort.transport;
  const asleep = runtime.phase === 'sleeping';
  return { settings: tunnel, target: { host, port: gamePortNow, probe, answers, ...(asleep && { asleep }) } };
}
