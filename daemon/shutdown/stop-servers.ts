import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { isLive } from '../../shared/domain/instance/phase.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Registry } from '../instances/registry.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';
import type { Shutdown } from './shutdown.ts';

/**
 * Stops all game servers gracefully and at the same time, ends their supervisors, and reports progress. Those that a restore would have started
 * again stay stopped, unless the machine shuts down.
 */
export async function stopServers(
  shutdown: Shutdown,
  { home, registry, supervisors }: { home: Home; registry: Registry; supervisors: Supervisors },
): Promise<void> {
  const records = registry.all();
  const running = records.filter(({ runtime }) => isLive(runtime.phase));
  if (running.length > 0) shutdown.say(`Stopping ${running.map(({ config }) => config.name).join(', ')}.`);
  const say = (line: string) => shutdown.hurried.aborted || shutdown.say(line);
  const limits = shutdown.deadline === undefined ? undefined : { withinMs: shutdown.deadline - performance.now() };
  const late = limits && setTimeout(shutdown.hurry, limits.withinMs);
  const stopping = records.map(async (record) => {
    const { id, name } = record.config;
    try {
      await supervisors.retire(id, limits);
      await supervisors.retire(id, limits); // in case the supervisor died meanwhile and its game still runs
      if (!limits) await rm(home.restartMark(id), { force: true });
      if (running.includes(record)) say(`${name} has stopped.`);
    } catch (error) {
      say(`${name} could not be stopped: ${(error as Error).message}`);
    }
  });
  await Promise.race([Promise.all(stopping), whenAborted(shutdown.hurried)]);
  clearTimeout(late);
  if (shutdown.hurried.aborted) shutdown.say('Not waiting for the remaining servers any longer.');
}

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
