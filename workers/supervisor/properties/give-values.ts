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
    const timeoutMs = Math.round(deadline - performance.now());
    if (timeoutMs <= 0) break;
    try {
      if (await confirms(game, change, { timeoutMs, redact })) confirmed.add(key);
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
  options: { timeoutMs: number; redact: GiveValuesOptions['redact'] },
): Promise<boolean> {
  if (change.source === 'management')
    return (await game.management.call(change.method, [change.value], options)) === change.value;
  const done = new RegExp(change.donePattern, 'i');
  for (const command of change.commands) {
    checkCommandLine(command);
    const { ownMessages } = await askGame(game, command, options);
    const lines = plainLines(ownMessages.join('\n'));
    if (!ownerPatterns.each(lines, (line) => done.test(line)).includes(true)) return false;
  }
  return true;
}
