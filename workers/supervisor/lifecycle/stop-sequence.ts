import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { GameCommands } from '../game/game-commands.ts';

/** The time between SIGTERM and SIGKILL, milliseconds. */
export const TERM_GRACE_MS = 10_000;
/** If RCON takes longer, the command is typed into the console while there is time. Milliseconds. */
const RCON_TIMEOUT_MS = 10_000;

export interface StoppableGame {
  commands: GameCommands;
  /** Settles when every process of the game has ended. */
  exited: Promise<unknown>;
  signal(name: 'SIGTERM'): void;
  kill(): void;
}

export interface StopOptions {
  /** The commands, in order; the last one ends the server. Chosen in game-rules.ts. */
  commands: readonly string[];
  /** From the first command to SIGTERM, milliseconds. */
  timeoutMs: number;
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number;
  notice: (text: string) => void;
}

/**
 * Stops a game so that its world is saved: sends the commands over RCON, or over the console if RCON does not take them; then, if the game
 * still runs, SIGTERM; then SIGKILL. Resolves when the game is gone.
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

/** Resolves only if a command cannot be sent, to a message. Otherwise the server may still be saving its world. */
async function sendCommands(game: StoppableGame, { commands, timeoutMs, notice }: StopOptions, gone: AbortSignal) {
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
  return new Promise<never>(() => {});
}

/** Resolves after the time. Never resolves if the game exits first. */
function passed(ms: number, gone: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: gone }).catch(() => new Promise<never>(() => {}));
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
