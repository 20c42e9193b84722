import type { InstanceEvent } from '../../shared/contract/daemon/instances.ts';
import { isUp, type Phase } from '../../shared/domain/phase.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';

/** A server takes all that a machine has while it starts; one that takes longer than this does not hold up the others. Milliseconds. */
const ONE_AT_A_TIME_MS = 60_000;

export interface AutoStartOptions {
  registry: Registry;
  supervisors: Pick<Supervisors, 'ensure'>;
  log: Logger;
  /** Fires when the daemon shuts down: nothing more is started. */
  signal: AbortSignal;
  oneAtATimeMs?: number;
}

/**
 * Starts the servers whose owners want them to start with Gamekeeper, or to go on where they ran when everything went down, unless they run
 * already: one after the other. Never throws.
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
      // The instance itself shows that it is not running; this says why to whoever looks.
      log.error({ err: error, instance: config.id }, 'a server could not be started with Gamekeeper');
    }
  }
}

const ON_THE_WAY: readonly Phase[] = ['provisioning', 'starting'];

/** Resolves when the server has come to be up, or to nothing, or it is not waited for any more. */
async function settled(
  id: string,
  { registry, signal, withinMs }: { registry: Registry; signal: AbortSignal; withinMs: number },
): Promise<void> {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), withinMs);
  const phases = phasesOf(id, registry.watch(AbortSignal.any([signal, enough.signal])));
  let seen = false;
  for await (const phase of phases) {
    const isOnTheWay = ON_THE_WAY.includes(phase);
    // Its supervisor has accepted the start; that it is under way may not have reached us yet.
    if (!isOnTheWay && (seen || phase === 'running' || phase === 'crashed')) break;
    seen ||= isOnTheWay;
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
