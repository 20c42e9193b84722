import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { GameCommands } from '../game/game-commands.ts';

/** How long a process has between SIGTERM and SIGKILL (api.md: 10 s). */
export const TERM_GRACE_MS = 10_000;
/** A server that answers at all has answered by then; one that does not gets its commands over the console while there is time. */
const RCON_PATIENCE_MS = 10_000;

export interface StoppableGame {
  commands: GameCommands;
  /** Settles when nothing of the game is left. */
  exited: Promise<unknown>;
  signal(name: 'SIGTERM'): void;
  kill(): void;
}

export interface StopOptions {
  /** Commands, in order; the last one makes the server end. */
  commands: readonly string[];
  /** From the first command to SIGTERM, milliseconds. */
  timeoutMs: number;
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number;
  /** Says in the console what is being done. */
  notice: (text: string) => void;
}

/**
 * Ends a game so that its world is saved: the commands over RCON, and from the first one that RCON does not take on over the console;
 * then, if it lives on, SIGTERM, then SIGKILL. Resolves when the game is gone.
 */
export async function stopGame(game: StoppableGame, options: StopOptions): Promise<void> {
  const gone = new AbortController();
  void game.exited.finally(() => gone.abort());
  const outcome = await Promise.race([
    game.exited.then(() => 'ended'),
    passed(options.timeoutMs, gone.signal).then(() => `Still running after ${seconds(options.timeoutMs)}`),
    sendCommands(game, options, gone.signal),
  ]);
  if (outcome === 'ended') return;
  options.notice(`${outcome}: sending SIGTERM.`);
  game.signal('SIGTERM');
  const ended = await Promise.race([
    game.exited.then(() => true),
    passed(options.graceMs, gone.signal).then(() => false),
  ]);
  if (ended) return;
  options.notice(`Still running ${seconds(options.graceMs)} after SIGTERM: sending SIGKILL.`);
  game.kill();
  await game.exited;
}

/** Resolves only if there is no way to the server, to that. One that has taken its commands may still have a world to save. */
async function sendCommands(game: StoppableGame, { commands, timeoutMs, notice }: StopOptions, gone: AbortSignal) {
  for (const command of commands) {
    if (gone.aborted) break;
    try {
      const delivery = await game.commands.insist(command, { timeoutMs: Math.min(RCON_PATIENCE_MS, timeoutMs) });
      // Typed for nobody. What RCON has answered was heard, even if the end was noticed first.
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
  return new Promise<never>(() => {});
}

/** Resolves after the time; the timer is dropped when the game is gone, and then nobody listens any more. */
function passed(ms: number, gone: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: gone }).catch(() => new Promise<never>(() => {}));
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
