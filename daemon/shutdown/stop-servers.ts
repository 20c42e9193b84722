import { once } from 'node:events';
import { isLive } from '../../shared/domain/phase.ts';
import type { Registry } from '../instances/registry.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';
import type { Shutdown } from './shutdown.ts';

/** Stops every game server gracefully, all at once, and ends their supervisors; says what it does. */
export async function stopServers(
  shutdown: Shutdown,
  { registry, supervisors }: { registry: Registry; supervisors: Supervisors },
): Promise<void> {
  const records = registry.all();
  const running = records.filter(({ runtime }) => isLive(runtime.phase));
  if (running.length > 0) shutdown.say(`Stopping ${running.map(({ config }) => config.name).join(', ')}.`);
  // Once nobody waits any longer, what becomes of a server is not known here.
  const say = (line: string) => shutdown.hurried.aborted || shutdown.say(line);
  const limits = shutdown.deadline === undefined ? undefined : { withinMs: shutdown.deadline - performance.now() };
  const late = limits && setTimeout(shutdown.hurry, limits.withinMs);
  const stopping = records.map(async (record) => {
    const { id, name } = record.config;
    try {
      await supervisors.retire(id, limits);
      await supervisors.retire(id, limits); // its supervisor may have died meanwhile, under a game that goes on
      if (running.includes(record)) say(`${name} has stopped.`);
    } catch (error) {
      say(`${name} could not be stopped: ${(error as Error).message}`);
    }
  });
  await Promise.race([Promise.all(stopping), whenAborted(shutdown.hurried)]);
  clearTimeout(late);
  if (shutdown.hurried.aborted) shutdown.say('Leaving the servers to themselves.');
}

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
