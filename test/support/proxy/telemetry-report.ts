import type { ReportedInstance, TelemetryReport } from '../../../shared/node/link/telemetry.ts';

const GIB = 1024 ** 3;

/** A report of a daemon with one server, changed as given. */
export function telemetryReport(change: Partial<TelemetryReport> = {}): TelemetryReport {
  return {
    type: 'telemetry',
    version: '2.0.0',
    health: 'ok',
    cpuPercent: 12.5,
    memory: { usedBytes: 4 * GIB, totalBytes: 16 * GIB },
    disk: { freeBytes: 100 * GIB, totalBytes: 500 * GIB },
    instances: [reportedInstance()],
    moreInstances: 0,
    ...change,
  };
}

export function reportedInstance(change: Partial<ReportedInstance> = {}): ReportedInstance {
  return { id: 'demo', name: 'Demo', software: 'paper', phase: 'running', players: 3, age: 600, ...change };
}

export function asMessage(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}
