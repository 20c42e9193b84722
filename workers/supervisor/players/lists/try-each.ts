import type { ErrorCode } from '../../../../shared/errors/catalogue.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { AddedPlayers } from '../../../../shared/schema/player-lists.ts';

/** Problems of one player, after which the next is tried. */
const OF_ONE: readonly ErrorCode[] = ['invalid_request', 'player_not_found', 'command_rejected'];

/**
 * Adds one player after the other, each name once. Returns whom `add` has added, and its reasons against the others. If it throws something that
 * concerns all players, or after `withinMs`, the rest is not tried; the error is thrown if it is the first result.
 */
export async function tryEach(
  names: readonly string[],
  { add, withinMs }: { add: (name: string) => unknown; withinMs: number },
): Promise<AddedPlayers> {
  const deadline = performance.now() + withinMs;
  const result: AddedPlayers = { added: [], failed: [] };
  let why: string | undefined;
  for (const name of uniqueNames(names)) {
    if (performance.now() > deadline) why ??= 'Not tried, because the other players took too long.';
    if (why !== undefined) {
      result.failed.push({ name, detail: why });
      continue;
    }
    const error = await failureOf(() => add(name));
    if (error === undefined) result.added.push(name);
    else result.failed.push({ name, detail: error.message });
    if (error === undefined || OF_ONE.includes(error.code)) continue;
    if (result.added.length === 0 && result.failed.length === 1) throw error;
    why = error.message;
  }
  return result;
}

async function failureOf(task: () => unknown): Promise<GamekeeperError | undefined> {
  try {
    await task();
    return undefined;
  } catch (error) {
    if (error instanceof GamekeeperError) return error;
    throw error;
  }
}

/** Servers ignore the case of names. */
function uniqueNames(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}
