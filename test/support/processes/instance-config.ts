import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** Returns an instance as the daemon passes it to a supervisor: the demo server, no restarts, a short stop timeout. */
export function instanceConfig(change: Partial<InstanceConfig> = {}): InstanceConfig {
  return {
    id: 'test',
    name: 'Test',
    software: 'demo',
    version: '1.0',
    port: 25_565,
    memoryMb: 512,
    eulaAccepted: false,
    autoStart: false,
    crashPolicy: { restart: 'never', maxRestarts: 3, windowSeconds: 600 },
    stopTimeoutSeconds: 10,
    directory: '/nowhere',
    managed: true,
    env: {},
    createdAt: '2026-11-20T08:00:00.000Z',
    ...change,
  };
}
