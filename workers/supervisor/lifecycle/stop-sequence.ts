import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { GameCommands } from '../game/game-commands.ts';
import { seconds } from '../process/end-processes.ts';

/** If RCON takes longer, the command is typed into the console while there is time. Milliseconds. */
const RCON_TIMEOUT_MS = 10_000;

export interface StoppableGame {
  commands: GameCommands;
  /** Settles when every process of the game has ended. */
  exited: Promise<unknown>;
  terminate(): void;
  /** Sends SIGINT, as Ctrl+C does. */
  interrupt(): void;
  kill(): void;
}

export interface StopOptions {
  /** The commands, in order; the last one ends the server. Chosen in game-rules.ts. */
  commands: readonly string[];
  /** Sent after the commands, where no command ends the server. */
  signal?: 'SIGINT' | 'SIGTERM' | undefined;
  /** From the first command or the signal to SIGTERM, milliseconds. */
  timeoutMs: number;
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number;
  notice: (text: string) => void;
  /** Leaves no more time for the commands: SIGTERM follows at once. */
  hurry?: AbortSignal;
}

/**
 * Stops a game so that its world is saved: sends the commands over RCON, or over the console if RCON does not take them, and the signal if
 * its kind stops by one; then, if the game still runs, SIGTERM; then SIGKILL. Resolves when the game is gone.
 */
export async function stopGame(game: StoppableGame, options: StopOptions): Promise<void> {
  const gone = new AbortController();
  void game.exited.finally(() => gone.abort());
  const outcome = await Promise.race([
    game.exited.then(() => 'ended'),
    passed(options.timeoutMs, gone.signal).then(() => `Still running after ${seconds(options.timeoutMs)}`),
    aborted(options.hurry).then(() => 'No time left for a normal stop'),
    sendCommands(game, options, gone.signal),
  ]);
  if (outcome !== 'ended') await terminateGame(game, { ...options, why: outcome });
}

/** Sends SIGTERM to a game, and SIGKILL if it still runs after `graceMs`. Resolves when the game is gone. */
export async function terminateGame(
  game: Pick<StoppableGame, 'exited' | 'terminate' | 'kill'>,
  { why, graceMs, notice }: { why: string } & Pick<StopOptions, 'graceMs' | 'notice'>,
): Promise<void> {
  const gone = new AbortController();
  void game.exited.finally(() => gone.abort());
  notice(`${why}: sending SIGTERM. SIGKILL follows in ${seconds(graceMs)}.`);
  game.terminate();
  const ended = await Promise.race([game.exited.then(() => true), passed(graceMs, gone.signal).then(() => false)]);
  if (ended) return;
  notice(`Still running ${seconds(graceMs)} after SIGTERM: sending SIGKILL.`);
  game.kill();
  await game.exited;
}

/** Resolves only if a command cannot be sent, to a message. Otherwise the server may still be saving its world. */
async function sendCommands(
  game: StoppableGame,
  { commands, signal, timeoutMs, notice }: StopOptions,
  gone: AbortSignal,
) {
  for (const command of commands) {
    if (gone.aborted) break;
    try {
      const delivery = await game.commands.insist(command, { timeoutMs: Math.min(RCON_TIMEOUT_MS, timeoutMs) });
      // Typed into an ended process. An answer over RCON counts even if the end was noticed first.
      if (gone.aborted && delivery.via === 'console') break;
      notice(
        delivery.via === 'rcon'
          ? `Stopping: sent "${command}" over RCON.`
          : `Stopping: typed "${command}" into the console (${delivery.because}).`,
      );
    } catch (error) {
      if (!(error instanceof GamekeeperError)) throw error;
      return `Stopping: "${command}" cannot be sent (${error.message.replace(/\.$/, '')})`;
    }
  }
  if (signal && !gone.aborted) {
    notice(`Stopping: sending ${signal}.`);
    if (signal === 'SIGINT') game.interrupt();
    else game.terminate();
  }
  return new Promise<never>(() => {});
}

/** Resolves after the time. Never resolves if the game exits first. */
function passed(ms: number, gone: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: gone }).catch(() => new Promise<never>(() => {}));
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
