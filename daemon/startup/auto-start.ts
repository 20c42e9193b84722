import type { InstanceEvent } from '../../shared/contract/daemon/instances.ts';
import { isUp, type Phase } from '../../shared/domain/instance/phase.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';

/** A starting server may use the whole machine, so the next one waits for it, but no longer than this. Milliseconds. */
const ONE_AT_A_TIME_MS = 60_000;

export interface AutoStartOptions {
  registry: Registry;
  supervisors: Pick<Supervisors, 'ensure'>;
  log: Logger;
  /** Fires when the daemon shuts down: no more servers are started. */
  signal: AbortSignal;
  oneAtATimeMs?: number;
}

/**
 * Starts, one after the other, the servers that should start with Gamekeeper, and those with `autoResume` that ran when Gamekeeper or the
 * machine went down. Skips servers that already run. Never throws.
 */
export async function autoStart(options: AutoStartOptions): Promise<void> {
  const { registry, supervisors, log, signal, oneAtATimeMs = ONE_AT_A_TIME_MS } = options;
  const wanted = registry
    .all()
    .filter(({ config }) => config.autoStart || (config.autoResume === true && registry.ran(config.id)));
  for (const { config } of wanted) {
    if (signal.aborted) return;
    if (!registry.has(config.id) || isUp(registry.get(config.id).runtime.phase)) continue;
    try {
      const { client } = await supervisors.ensure(config.id);
      await client.call.start();
      await settled(config.id, { registry, signal, withinMs: oneAtATimeMs });
    } catch (error) {
      log.error({ err: error, instance: config.id }, 'a server could not be started with Gamekeeper');
    }
  }
}

const STARTING: readonly Phase[] = ['provisioning', 'starting'];

/** Resolves when the start has succeeded or failed, after `withinMs`, or when `signal` fires. */
async function settled(
  id: string,
  { registry, signal, withinMs }: { registry: Registry; signal: AbortSignal; withinMs: number },
): Promise<void> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), withinMs);
  const phases = phasesOf(id, registry.watch(AbortSignal.any([signal, timeout.signal])));
  let seen = false;
  for await (const phase of phases) {
    const isStarting = STARTING.includes(phase);
    // The supervisor has accepted the start, but may not have reported it yet.
    if (!isStarting && (seen || phase === 'running' || phase === 'crashed')) break;
    seen ||= isStarting;
  }
  clearTimeout(timer);
}

async function* phasesOf(id: string, events: AsyncIterable<InstanceEvent>): AsyncGenerator<Phase> {
  for await (const event of events) {
    if (event.type === 'removed' && event.id === id) return;
    const records = event.type === 'snapshot' ? event.instances : event.type === 'changed' ? [event.instance] : [];
    const record = records.find(({ config }) => config.id === id);
    if (record) yield record.runtime.phase;
  }
}
