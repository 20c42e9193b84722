import { statusOf } from '../domain/instance/phase.ts';
import type { InstanceRuntime } from '../domain/instance/runtime.ts';
import { type Clocks, uptimeOf } from '../domain/instance/uptime.ts';
import type { Instance, InstanceConfig } from './instance.ts';

/** Combines configuration and runtime to the public Instance. */
export function toInstance(config: InstanceConfig, runtime: InstanceRuntime, now: Clocks): Instance {
  const status = statusOf(runtime.phase);
  const uptimeMs = uptimeOf(runtime, now);
  const maxPlayers = runtime.maxPlayers ?? config.maxPlayers;
  const { tunnel } = runtime;
  const live: Partial<Instance> =
    status === 'running'
      ? {
          ...(runtime.playersOnline !== undefined && { playersOnline: runtime.playersOnline }),
          ...(runtime.cpuPercent !== undefined && { cpuPercent: runtime.cpuPercent }),
          ...(runtime.memoryUsedMb !== undefined && { memoryUsedMb: runtime.memoryUsedMb }),
          ...(runtime.tickTimeMs !== undefined && { tickTimeMs: runtime.tickTimeMs }),
          ...(runtime.tps !== undefined && { tps: runtime.tps }),
          ...(uptimeMs !== undefined && { uptimeSeconds: Math.floor(uptimeMs / 1000) }),
        }
      : {};
  return {
    id: config.id,
    name: config.name,
    software: config.software,
    version: config.version,
    ...(config.javaVersion !== undefined && { javaVersion: config.javaVersion }),
    port: config.port,
    status,
    ...(maxPlayers !== undefined && { maxPlayers }),
    memoryMb: config.memoryMb,
    phase: runtime.phase,
    ...(runtime.activity !== undefined && { activity: runtime.activity }),
    ...(runtime.degraded !== undefined && { degraded: runtime.degraded }),
    ...(runtime.leftovers && { leftovers: runtime.leftovers }),
    ...live,
    ...(tunnel?.state === 'up' && tunnel.address !== '' && { publicAddress: tunnel.address }),
    ...(runtime.crash !== undefined && { crash: runtime.crash }),
    ...(runtime.pendingRestart && { pendingRestart: runtime.pendingRestart }),
    ...(runtime.restartWhenEmpty && { restartWhenEmpty: true }),
  };
}
