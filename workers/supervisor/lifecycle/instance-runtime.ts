import { isLive } from '../../../shared/domain/instance/phase.ts';
import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';
import type { FolderLock } from '../folder/folder-lock.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { PortLease } from '../ports/port-lease.ts';
import type { TunnelKeeper } from '../tunnel/tunnel-keeper.ts';
import type { Observation } from '../vitals/observation.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { PendingRestart } from './pending-restart.ts';

/** Limits the size of every update; views have no use for more. */
const MOST_PLAYERS_SHOWN = 500;
const MOST_LEFTOVERS_SHOWN = 50;

export interface RuntimeSources {
  settings: InstanceSettings;
  lifecycle: Lifecycle;
  pending: PendingRestart;
  observation: Observation;
  folderLock: FolderLock;
  ports: PortLease;
  tunnel: Pick<TunnelKeeper, 'status'>;
}

export function runtimeOf(sources: RuntimeSources): InstanceRuntime {
  const { settings, lifecycle, pending, observation, folderLock, ports, tunnel } = sources;
  const { phase, hasProcess, game, crash } = lifecycle;
  const { usage, ping } = observation.vitals ?? {};
  const diskFreeBytes = observation.disk?.freeBytes;
  const players = observation.presence.names.slice(0, MOST_PLAYERS_SHOWN);
  const leftovers = lifecycle.leftovers.slice(0, MOST_LEFTOVERS_SHOWN).map(({ pid, command }) => ({ pid, command }));
  const changes = pending.changes(settings.current);
  const activity = phase === 'provisioning' ? 'installing' : folderLock.activity;
  return {
    phase: leftovers.length > 0 && !lifecycle.isEndingOrphan && !isLive(phase) ? 'stopping' : phase,
    ...(activity && { activity }),
    ...(game && { pid: game.pid, startedAt: game.startedAt }),
    ...(game?.startedMonotonicMs !== undefined && { startedMonotonicMs: game.startedMonotonicMs }),
    ...(lifecycle.javaProgram !== undefined && { javaProgram: lifecycle.javaProgram }),
    ...(leftovers.length > 0 && { degraded: 'leftovers', leftovers }),
    ...(game && !game.hasTerminal && { degraded: 'taken-over' }),
    ...(usage && hasProcess && usage),
    ...(diskFreeBytes !== undefined && hasProcess && { diskFreeBytes }),
    ...(phase === 'running' && observation.ticks?.stats),
    ...(ping && hasProcess && { playersOnline: ping.online, ...(ping.max !== undefined && { maxPlayers: ping.max }) }),
    ...(players.length > 0 && hasProcess && { players }),
    ...(ports.held.length > 0 && { ports: [...ports.held] }),
    ...(tunnel.status && { tunnel: tunnel.status }),
    ...(crash && { crash }),
    ...(changes.length > 0 && { pendingRestart: changes }),
    ...(pending.waitsForEmpty && phase !== 'stopping' && { restartWhenEmpty: true }),
  };
}
