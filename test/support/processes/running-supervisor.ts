import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import type { Peer } from '../../../shared/contract/call.ts';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import type { Intent } from '../../../shared/domain/instance/intent.ts';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import type { PortConflict, PortUse } from '../../../shared/domain/instance/port-use.ts';
import type { LastCrash } from '../../../shared/domain/instance/runtime.ts';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { SupervisorTimings } from '../../../workers/supervisor/compose.ts';
import { openConsoleLog } from '../../../workers/supervisor/console/console-log.ts';
import { LastCall } from '../../../workers/supervisor/own-process/last-call.ts';
import { createSupervisor, type Supervisor } from '../../../workers/supervisor/supervisor.ts';
import { freePort } from '../machine/free-port.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';
import { instanceConfig } from './instance-config.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface RunningSupervisorOptions {
  config?: Partial<InstanceConfig>;
  /** The home of an earlier supervisor, if the test has one. */
  home?: Home;
  upstream?: {
    provision?: (signal: AbortSignal) => AsyncIterable<{ progress: string } | { done: Provisioned }>;
    /** Runs before the daemon adopts settings. */
    beforeAdopting?: () => Promise<void>;
    /** Answers port leases; by default all are granted. */
    leasePorts?: (ports: PortUse[]) => Promise<PortConflict | null>;
  };
  /** The last crash of the previous supervisor. */
  crash?: LastCrash;
  /** Set if the previous supervisor was lost; see SupervisorBoot. */
  intent?: Intent;
  restartInMs?: number;
  timings?: Partial<SupervisorTimings>;
}

/** A supervisor that runs in the test's own process. */
export interface RunningSupervisor {
  supervisor: Supervisor;
  service: SupervisorService;
  home: Home;
  config: InstanceConfig;
  /** Every phase so far, as `watch` reported them. */
  phases: Phase[];
  /** The messages logged so far. */
  logged: string[];
  waitForPhase(phase: Phase): Promise<void>;
  waitForLine(pattern: RegExp): Promise<void>;
  /** The console so far, plain and redacted. */
  lines(): Promise<string[]>;
}

/** Creates a supervisor for an instance in a new folder. At the end of the test its game is killed, unless it was handed over. */
export async function runSupervisor(t: Test, options: RunningSupervisorOptions = {}): Promise<RunningSupervisor> {
  const home = options.home ?? homeAt(temporaryFolder(t));
  const id = options.config?.id ?? 'test';
  const config = instanceConfig({ port: await freePort(), directory: home.instanceDirectory(id), ...options.config });
  mkdirSync(path.dirname(home.supervisorRecord(id)), { recursive: true });
  const console = await openConsoleLog({
    directory: home.consoleLogDirectory(id),
    redaction: { patterns: [], exceptions: [] },
  });
  const logged: string[] = [];
  const supervisor: Supervisor = createSupervisor({
    paths: { home, embedded: (entry) => path.join(ROOT, entry.replace(/\.js$/, '.ts')) },
    boot: {
      config,
      ...(options.crash && { crash: options.crash }),
      ...(options.intent && { intent: options.intent }),
      ...(options.restartInMs !== undefined && { restartInMs: options.restartInMs }),
    },
    console,
    lastCall: new LastCall(),
    upstream: {
      async adoptSettings(settings) {
        await options.upstream?.beforeAdopting?.();
        Object.assign(config, settings);
        await supervisor.service.configure({ ...config });
      },
      leasePorts: options.upstream?.leasePorts ?? (async () => null),
      suggestPort: async () => null,
      releasePorts: async () => undefined,
      storeLearnedTunnel: async () => undefined,
      permitTunnel: async () => {
        throw new Error('there is no proxy in this test');
      },
      provision:
        options.upstream?.provision ??
        (() => {
          throw new Error('nothing is provisioned in this test');
        }),
    },
    timings: {
      restartBackOff: { firstMs: 20, maxMs: 100 },
      stopGraceMs: () => 500,
      leaseMs: 15_000,
      lockDeadlineMs: 30_000,
      pingEveryMs: 5_000,
      ticksEveryMs: 10_000,
      endBansEveryMs: 10_000,
      countPlayersEveryMs: 30_000,
      ...options.timings,
    },
    log(level, message, details) {
      logged.push(message);
      t.comment(level, message, details);
    },
  });
  const { service } = supervisor;
  let hasLeft = false;
  void supervisor.retired.then(() => {
    hasLeft = true;
  });
  t.teardown(async () => {
    // Rejects if nothing runs.
    if (!hasLeft) await service.kill().catch(() => undefined);
    if (!hasLeft) await supervisor.rest();
    await supervisor.close();
  });

  const phases: Phase[] = [];
  void (async () => {
    for await (const { phase } of service.watch(new AbortController().signal)) {
      if (phases.at(-1) !== phase) phases.push(phase);
    }
  })();
  const lines = () => service.logs({ lines: 1_000 });
  const describe = async () => `${phases.join(' ')}\n${(await lines()).join('\n')}`;
  return {
    supervisor,
    service,
    home,
    config,
    phases,
    logged,
    lines,
    waitForPhase: async (phase) => {
      await until(`the instance is ${phase}`, () => service.status().phase === phase, { describe });
    },
    waitForLine: async (pattern) => {
      await until(`the console shows ${pattern}`, async () => (await lines()).some((line) => pattern.test(line)), {
        describe,
      });
    },
  };
}

/** A lock holder whose connection the test can close. */
export function testPeer(): Peer & { close(): void } {
  const listeners = new Set<() => void>();
  return {
    id: 1,
    onClose(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const listener of [...listeners]) listener();
    },
  };
}
