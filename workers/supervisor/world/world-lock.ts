import { setTimeout as sleep } from 'node:timers/promises';
import type { SaveCommands } from '../../../shared/domain/software/definition.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Delivery, GameCommands } from '../game/game-commands.ts';
import type { LineFeed } from '../game/line-feed.ts';
import { ownerPatterns } from '../game/owner-patterns.ts';
import { awaitConfirmation } from './confirmation.ts';
import type { WorldLockMark } from './world-lock-mark.ts';

/** For each command of locking, milliseconds. Flushing a large world can take 72 s (itzg/docker-mc-backup#220). */
export const LOCK_DEADLINE_MS = 120_000;
/** `save-on` is typed into the console if RCON takes longer; an autosave may be in progress. Milliseconds. */
const SAVE_ON_TIMEOUT_MS = 30_000;
/** Without a pattern for the confirmation, the world counts as written once the console was quiet for this long, milliseconds. */
const QUIET_MS = 2_000;

export interface LockableGame {
  commands: GameCommands;
  lines: LineFeed;
  exited: Promise<unknown>;
}

export interface WorldLockOptions {
  save: SaveCommands;
  /** The pattern of an answer that reports a failed command; absent if there is none. */
  commandFailed: RegExp | undefined;
  mark: WorldLockMark;
  /** For each command, milliseconds. */
  deadlineMs: number;
  /** Fires when the holder of the lock no longer waits. */
  signal: AbortSignal;
  report: {
    /** Shows a line in the console. */
    notice(text: string): void;
    /** `off` was typed into the console. It may wait there behind other work, so only an `on` typed there cannot overtake it. */
    typed(): void;
  };
}

/**
 * Makes a running world safe to read: turns saving off and flushes everything to disk, each confirmed by the server
 * (https://minecraft.wiki/w/Commands/save). Resolves to whether the world is on disk and stays so. `unlockWorld` must follow in any case,
 * also after an error.
 */
export async function lockWorld(game: LockableGame, options: WorldLockOptions): Promise<boolean> {
  const { off, on, flush } = options.save;
  if (off === undefined && flush === undefined) return false;
  // Without a command to turn saving on again, it is not turned off.
  const held = off !== undefined && on !== undefined && (await turnOff(game, { ...options, off }));
  if (over(options.signal)) return false;
  const flushed = flush !== undefined && (await flushWorld(game, { ...options, flush }));
  return held && flushed;
}

export interface WorldUnlockOptions extends Pick<WorldLockOptions, 'save' | 'mark'> {
  /** True if `off` was typed into the console: `on` must then be typed too, even if RCON took it. */
  typed: boolean;
}

/** Turns saving on again and clears the mark. Harmless if saving is on. */
export async function unlockWorld(
  { commands }: Pick<LockableGame, 'commands'>,
  { save: { on }, mark, typed }: WorldUnlockOptions,
): Promise<void> {
  if (on !== undefined) {
    const { via } = await commands.insist(on, { timeoutMs: SAVE_ON_TIMEOUT_MS });
    if (typed && via === 'rcon') commands.type(on);
  }
  await mark.clear();
}

async function turnOff(game: LockableGame, options: WorldLockOptions & { off: string }): Promise<boolean> {
  const { off, save, mark, report, commandFailed } = options;
  await mark.set();
  const sent = async (timeoutMs: number) => {
    const delivery = await sendOnce(game.commands, off, timeoutMs);
    if (delivery?.via === 'console') report.typed();
    return delivery;
  };
  const held = await within(game, options, async (deadline) => {
    if (save.heldPattern !== undefined)
      return awaitConfirmation(game.lines, {
        send: () => sent(options.deadlineMs),
        done: save.heldPattern,
        failed: undefined,
        commandFailed,
        signal: deadline,
      });
    const delivery = await sent(options.deadlineMs);
    return (
      delivery !== undefined &&
      (delivery.via === 'console' || ownerPatterns.one(() => commandFailed?.test(delivery.answer) ?? false) === false)
    );
  });
  if (!held && !over(options.signal))
    report.notice('The server did not confirm that automatic saving is off; the backup continues anyway.');
  return held;
}

async function flushWorld(game: LockableGame, options: WorldLockOptions & { flush: string }): Promise<boolean> {
  const { flush, save, deadlineMs, commandFailed, signal, report } = options;
  const { savedPattern, notSavedPattern } = save;
  const flushed = await within(game, options, async (deadline) => {
    const send = () => sendOnce(game.commands, flush, deadlineMs);
    if (save.flushAgainMs !== undefined) repeat(send, save.flushAgainMs, deadline);
    if (savedPattern !== undefined)
      return awaitConfirmation(game.lines, {
        send,
        done: savedPattern,
        failed: notSavedPattern,
        commandFailed,
        signal: deadline,
      });
    // Without a pattern, any answer or a quiet console ends the wait, but confirms nothing.
    const settled = quiet(game.lines, deadline);
    const delivery = await send();
    if (delivery?.via !== 'rcon') await settled;
    return false;
  });
  if (!flushed && savedPattern !== undefined && !over(signal))
    report.notice('The server did not confirm that the world is saved; the backup continues anyway.');
  return flushed;
}

/** Resolves to `undefined` if RCON took the command and did not answer. Typing it as well could put it behind the command that undoes it. */
async function sendOnce(commands: GameCommands, command: string, timeoutMs: number): Promise<Delivery | undefined> {
  try {
    return await commands.send(command, { timeoutMs });
  } catch (error) {
    if (isGamekeeperError(error, 'rcon_unavailable')) return undefined;
    throw error;
  }
}

/** Resolves to false if the time is over, or the holder or the game is gone, before `work` resolves. */
async function within(
  game: Pick<LockableGame, 'exited'>,
  { deadlineMs, signal }: Pick<WorldLockOptions, 'deadlineMs' | 'signal'>,
  work: (over: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const ended = new AbortController();
  const end = () => ended.abort();
  void game.exited.then(end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([
      work(ended.signal),
      sleep(deadlineMs, false, { signal: ended.signal }).catch(() => false), // the game or the holder is gone
    ]);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Repeats a command until `over` fires. Its answer shows in the log. */
function repeat(send: () => Promise<unknown>, everyMs: number, over: AbortSignal): void {
  const timer = setInterval(() => void send().catch(() => undefined), everyMs);
  over.addEventListener('abort', () => clearInterval(timer), { once: true });
  if (over.aborted) clearInterval(timer);
}

/** Resolves once the console was quiet for a while, or when `signal` fires. */
function quiet(lines: LineFeed, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, QUIET_MS);
    const stop = lines.onLine(() => {
      clearTimeout(timer);
      timer = setTimeout(done, QUIET_MS);
    });
    function done(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

function over(signal: AbortSignal): boolean {
  return signal.aborted;
}
