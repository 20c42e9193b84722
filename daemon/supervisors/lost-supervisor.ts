import type { Intent } from '../../shared/domain/instance/intent.ts';
import { type InstanceRuntime, isToRun, type LastCrash } from '../../shared/domain/instance/runtime.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { readJsonRecord } from '../../shared/node/files/json-record.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import { readIntent, writeIntent } from '../../shared/node/processes/intent-record.ts';
import { identityIn, isAlive, isFileOfThisBoot } from '../../shared/node/processes/process-identity.ts';
import type { Registry } from '../instances/registry.ts';

/** What a supervisor has left on record since the last boot. */
export interface LeftRecords {
  /** Absent if the supervisor ended in good order, or is of an earlier version. */
  intent: Intent | undefined;
  /** Set if the supervisor died before it saw the end of its game. */
  game: 'runs' | 'ended' | undefined;
}

/** Reads what a dead supervisor has left. Throws if that cannot be read, for example for lack of file descriptors. */
export async function readLeftRecords(home: Home, id: string): Promise<LeftRecords> {
  const intent = await readIntent(home.intentRecord(id));
  return { intent, game: await readLeftGame(home.gameRecord(id)) };
}

async function readLeftGame(file: string): Promise<LeftRecords['game']> {
  const game = identityIn(await readJsonRecord(file));
  if (!game) return undefined;
  if (await isAlive(game)) return 'runs';
  // Without a boot: the game was not started yet, or the system has no boot id.
  return (await isFileOfThisBoot(file, { boot: game.boot })) ? 'ended' : undefined;
}

/** Returns whether another supervisor has something to do. */
export function isLost({ intent, game }: LeftRecords): boolean {
  return game !== undefined || (intent !== undefined && intent !== 'stopped');
}

/**
 * Returns what the server should do whose supervisor died, or `undefined` if nothing was lost: it was stopped and no process is left.
 */
export async function lostIntent(
  id: string,
  {
    home,
    registry,
    log,
    signal,
  }: { home: Home; registry: Pick<Registry, 'has' | 'get'>; log: Logger; signal: AbortSignal },
): Promise<Intent | undefined> {
  const left = await retry(() => readLeftRecords(home, id), {
    onFailure: (error) =>
      log.warn({ err: error, instance: id }, 'could not check whether a game runs without its supervisor'),
    signal,
  });
  if (!left || !registry.has(id)) return undefined;
  if (left.intent !== undefined) return isLost(left) ? left.intent : undefined;
  const observed = observedIntent(registry.get(id).runtime, left);
  try {
    if (observed) writeIntent(home.intentRecord(id), observed);
  } catch (error) {
    log.error({ err: error, instance: id }, 'what a server should do could not be recorded');
  }
  return observed;
}

/** Supervisors of earlier versions leave no intent, so what was last observed counts. */
function observedIntent(runtime: InstanceRuntime, { game }: LeftRecords): Intent | undefined {
  if (!isToRun(runtime)) return game === 'runs' ? 'running' : undefined;
  if (runtime.phase === 'sleeping') return 'asleep';
  return runtime.phase === 'stopping' ? 'stopped' : 'running';
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
