import { setTimeout as sleep } from 'node:timers/promises';
import type { SaveCommands } from '../../shared/domain/software/definition.ts';
import type { GameCommands } from './game-commands.ts';
import type { LineFeed } from './line-feed.ts';
import { isSavedAnswer, isSavedLine } from './readiness.ts';
import type { WorldLockMark } from './world-lock-mark.ts';

/** For the whole of locking. Flushing a large world was seen to take 72 s (field-notes 3.1). */
export const LOCK_DEADLINE_MS = 120_000;
/** How long `save-off` and `save-on` may take over RCON before they are typed into the console: an autosave may be under way. */
const SWITCH_PATIENCE_MS = 30_000;
/** Without a pattern that says so, the world counts as written once the console was quiet for so long (api.md, Backup). */
const QUIET_MS = 2_000;

export interface LockableGame {
  commands: GameCommands;
  lines: LineFeed;
  exited: Promise<unknown>;
}

export interface WorldLockOptions {
  save: SaveCommands;
  /** What an answer looks like that says that a command failed; absent: none. */
  commandFailed: RegExp | undefined;
  mark: WorldLockMark;
  deadlineMs: number;
  /** Says in the console what is being done. */
  notice: (text: string) => void;
  /** Ends the waiting early. */
  signal: AbortSignal;
}

/**
 * Holds a running world still: saving off, everything to disk, confirmation awaited (field-notes 3.4). Resolves to whether the server
 * confirmed that the world is on disk and stays so. Whatever it resolves to, or throws, `unlockWorld` has to follow.
 */
export async function lockWorld(game: LockableGame, options: WorldLockOptions): Promise<boolean> {
  const { off, on, flush } = options.save;
  if (off === undefined && flush === undefined) return false;
  // What could not be turned on again is not turned off.
  const held = off !== undefined && on !== undefined && (await turnOff(game, { ...options, off }));
  const flushed = flush !== undefined && (await flushWorld(game, { ...options, flush }));
  if (!flushed && options.save.savedPattern !== undefined)
    options.notice(`The server did not confirm that the world is saved; the backup goes on without that.`);
  return held && flushed;
}

/** Turns saving on again, and forgets the mark. Harmless where saving is on. */
export async function unlockWorld(
  game: Pick<LockableGame, 'commands'>,
  { save, mark }: Pick<WorldLockOptions, 'save' | 'mark'>,
): Promise<void> {
  if (save.on !== undefined) await game.commands.insist(save.on, { timeoutMs: SWITCH_PATIENCE_MS });
  await mark.clear();
}

async function turnOff(game: LockableGame, options: WorldLockOptions & { off: string }): Promise<boolean> {
  await options.mark.set();
  const delivery = await game.commands.insist(options.off, { timeoutMs: SWITCH_PATIENCE_MS });
  // "Saving is already turned off" is as good; a server that does not know the command cannot be held.
  return delivery.via === 'console' || !options.commandFailed?.test(delivery.answer);
}

async function flushWorld(game: LockableGame, options: WorldLockOptions & { flush: string }): Promise<boolean> {
  const { flush, deadlineMs, commandFailed, signal } = options;
  const { savedPattern } = options.save;
  const over = new AbortController();
  const end = () => over.abort();
  whenAborted(signal, end);
  void game.exited.then(end);
  const confirmed =
    savedPattern === undefined ? quiet(game.lines, over.signal) : savedLine(game.lines, savedPattern, over.signal);
  try {
    const answered = game.commands.insist(flush, { timeoutMs: deadlineMs }).then((delivery) => {
      // Over the console there is nothing but the line to go by.
      if (delivery.via === 'console') return confirmed;
      if (commandFailed?.test(delivery.answer)) return false;
      // Without a pattern any answer counts as saved, but confirms nothing.
      if (savedPattern === undefined) return false;
      return isSavedAnswer(delivery.answer, savedPattern) || confirmed;
    });
    return await Promise.race([
      answered,
      ...(savedPattern === undefined ? [] : [confirmed]),
      sleep(deadlineMs, false, { signal: over.signal }).catch(() => false), // the game or the holder is gone
    ]);
  } finally {
    signal.removeEventListener('abort', end);
    over.abort();
  }
}

/** Resolves to true at the line that confirms it, to false when `over`. */
function savedLine(lines: LineFeed, source: string, over: AbortSignal): Promise<boolean> {
  const pattern = new RegExp(source);
  return new Promise((resolve) => {
    const stop = lines.onLine((line) => {
      if (isSavedLine(line, { pattern, prefixExpected: lines.prefixSeen })) resolve(true);
    });
    whenAborted(over, () => {
      stop();
      resolve(false);
    });
  });
}

/** Resolves to false, for it confirms nothing, once no line has come for a while. */
function quiet(lines: LineFeed, over: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, QUIET_MS);
    const stop = lines.onLine(() => {
      clearTimeout(timer);
      timer = setTimeout(done, QUIET_MS);
    });
    function done(): void {
      clearTimeout(timer);
      stop();
      resolve(false);
    }
    whenAborted(over, done);
  });
}

function whenAborted(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}
