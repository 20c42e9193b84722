import type { LiveChange } from '../../../shared/domain/properties/live-property.ts';
import { askGame, plainLines } from '../game/ask-game.ts';
import { checkCommandLine } from '../game/game-commands.ts';
import type { GameProcess } from '../game/game-process.ts';
import { ownerPatterns } from '../game/owner-patterns.ts';
import { ManagementError } from '../management/management-error.ts';
import type { Log } from '../own-process/process-log.ts';

/** A server that has not taken a value by then takes it at its next start. Shorter than the timeout of the caller. Milliseconds. */
const WITHIN_MS = 5_000;

export interface GiveValuesOptions {
  redact: (text: string) => string;
  log: Log;
}

/** Gives values to a running server, one after the other. Returns the keys of those that it has confirmed. Failures are only logged. */
export async function giveValues(
  game: GameProcess,
  changes: ReadonlyMap<string, LiveChange>,
  { redact, log }: GiveValuesOptions,
): Promise<ReadonlySet<string>> {
  const confirmed = new Set<string>();
  const deadline = performance.now() + WITHIN_MS;
  for (const [key, change] of changes) {
    if (restOf(deadline) <= 0) break;
    try {
      if (await confirms(game, change, { deadline, redact })) confirmed.add(key);
    } catch (error) {
      const reason = error instanceof ManagementError ? error.reason : undefined;
      if (reason === 'unavailable') continue; // its owner has not turned it on
      log('info', 'the running server did not take a property', { key, error });
      // A server that does not answer once would keep the caller waiting for each of the others.
      if (reason !== 'refused') break;
    }
  }
  return confirmed;
}

/** Throws what `askGame` or the management session does. */
async function confirms(
  game: GameProcess,
  change: LiveChange,
  { deadline, redact }: { deadline: number; redact: GiveValuesOptions['redact'] },
): Promise<boolean> {
  if (change.source === 'management') {
    const timeoutMs = restOf(deadline);
    return (await game.management.call(change.method, [change.value], { timeoutMs })) === change.value;
  }
  const done = new RegExp(change.donePattern, 'i');
  for (const command of change.commands) {
    const timeoutMs = restOf(deadline);
    if (timeoutMs <= 0) return false;
    checkCommandLine(command);
    const { ownMessages } = await askGame(game, command, { timeoutMs, redact });
    const lines = plainLines(ownMessages.join('\n'));
    if (!ownerPatterns.each(lines, (line) => done.test(line)).includes(true)) return false;
  }
  return true;
}

/** Milliseconds until a time of `performance.now()`. */
function restOf(deadline: number): number {
  return Math.round(deadline - performance.now());
}
