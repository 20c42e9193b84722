import { setTimeout as sleep } from 'node:timers/promises';
import type { SaveCommands } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Delivery, GameCommands } from '../game/game-commands.ts';
import type { LineFeed } from '../game/line-feed.ts';
import { awaitConfirmation } from './confirmation.ts';
import type { WorldLockMark } from './world-lock-mark.ts';

/** For each command of locking. Flushing a large world was seen to take 72 s (field-notes 3.1). */
export const LOCK_DEADLINE_MS = 120_000;
/** How long `save-on` may take over RCON before it is typed into the console: an autosave may be under way. */
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
  /** For each command. */
  deadlineMs: number;
  /** Says in the console what is being done. */
  notice: (text: string) => void;
  /** Ends the waiting early. */
  signal: AbortSignal;
  /** `off` was typed into the console, where it may wait behind what the server is busy with: only there can it be overtaken. */
  onTyped: () => void;
}

/**
 * Holds a running world still: saving off, everything to disk, each confirmed by the server (field-notes 3.4). Resolves to whether the
 * world is on disk and stays so. Whatever it resolves to, or throws, `unlockWorld` has to follow.
 */
export async function lockWorld(game: LockableGame, options: WorldLockOptions): Promise<boolean> {
  const { off, on, flush } = options.save;
  if (off === undefined && flush === undefined) return false;
  // What could not be turned on again is not turned off.
  const held = off !== undefined && on !== undefined && (await turnOff(game, { ...options, off }));
  if (over(options.signal)) return false;
  const flushed = flush !== undefined && (await flushWorld(game, { ...options, flush }));
  return held && flushed;
}

export interface WorldUnlockOptions extends Pick<WorldLockOptions, 'save' | 'mark'> {
  /** Whether `off` went to the console: then `on` goes there, too, even if RCON has taken it. */
  typed: boolean;
}

/** Turns saving on again, and forgets the mark. Harmless where saving is on. */
export async function unlockWorld(
  { commands }: Pick<LockableGame, 'commands'>,
  { save: { on }, mark, typed }: WorldUnlockOptions,
): Promise<void> {
  if (on !== undefined) {
    const { via } = await commands.insist(on, { timeoutMs: SWITCH_PATIENCE_MS });
    if (typed && via === 'rcon') commands.type(on);
  }
  await mark.clear();
}

async function turnOff(game: LockableGame, options: WorldLockOptions & { off: string }): Promise<boolean> {
  const { off, save, mark, onTyped, notice, commandFailed } = options;
  await mark.set();
  const sent = async (timeoutMs: number) => {
    const delivery = await sendOnce(game.commands, off, timeoutMs);
    if (delivery?.via === 'console') onTyped();
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
    return delivery !== undefined && (delivery.via === 'console' || !commandFailed?.test(delivery.answer));
  });
  if (!held && !over(options.signal))
    notice('The server did not confirm that it saves nothing by itself meanwhile; the backup goes on without that.');
  return held;
}

async function flushWorld(game: LockableGame, options: WorldLockOptions & { flush: string }): Promise<boolean> {
  const { flush, save, deadlineMs, commandFailed, signal, notice } = options;
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
    // Without a pattern any answer, or some quiet, counts as saved, but confirms nothing.
    const settled = quiet(game.lines, deadline);
    const delivery = await send();
    if (delivery?.via !== 'rcon') await settled;
    return false;
  });
  if (!flushed && savedPattern !== undefined && !over(signal))
    notice('The server did not confirm that the world is saved; the backup goes on without that.');
  return flushed;
}

/** `undefined`: RCON took it and said nothing. It is not typed as well: it would come late, maybe behind what undoes it. */
async function sendOnce(commands: GameCommands, command: string, timeoutMs: number): Promise<Delivery | undefined> {
  try {
    return await commands.send(command, { timeoutMs });
  } catch (error) {
    if (error instanceof GamekeeperError && error.code === 'rcon_unavailable') return undefined;
    throw error;
  }
}

/** False when the time is over, or the holder or the game is gone, before `work` says so. */
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

/** Sends something again and again until `over` fires. What it answers, whoever waits for it reads in the log. */
function repeat(send: () => Promise<unknown>, everyMs: number, over: AbortSignal): void {
  const timer = setInterval(() => void send().catch(() => undefined), everyMs);
  over.addEventListener('abort', () => clearInterval(timer), { once: true });
  if (over.aborted) clearInterval(timer);
}

/** Resolves once no line has come for a while, or when `signal` fires. */
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
