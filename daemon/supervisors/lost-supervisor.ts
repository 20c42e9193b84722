import type { Phase } from '../../shared/domain/instance/phase.ts';
import { isToRun, type LastCrash } from '../../shared/domain/instance/runtime.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import { readLivingGame } from '../../shared/node/processes/process-record.ts';
import type { Registry } from '../instances/registry.ts';

/**
 * Returns the phase of the server when its supervisor died, or `undefined` if nothing was lost: the server was stopped and no game runs.
 */
export async function lostPhase(
  id: string,
  {
    home,
    registry,
    log,
    signal,
  }: { home: Home; registry: Pick<Registry, 'has' | 'get'>; log: Logger; signal: AbortSignal },
): Promise<Phase | undefined> {
  // A supervisor that was recovering a game may have died before it reported the game.
  const game = await retry(() => readLivingGame(home.gameRecord(id)), {
    onFailure: (error) =>
      log.warn({ err: error, instance: id }, 'could not check whether a game runs without its supervisor'),
    signal,
  });
  if (!registry.has(id)) return undefined;
  const { runtime } = registry.get(id);
  if (isToRun(runtime)) return runtime.phase;
  return game ? 'running' : undefined;
}

/** Returns the crash that an instance shows after its supervisor died while its game ran. */
export function lossOf(at: Date): LastCrash {
  return {
    at: at.toISOString(),
    exitCode: null,
    signal: null,
    reason: 'The process that supervises the server ended unexpectedly.',
    restarts: 0,
  };
}
