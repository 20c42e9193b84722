import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RconError, wasNotSent } from '../rcon/rcon-error.ts';
import { LONGEST_COMMAND } from '../rcon/session.ts';

/** Vanilla opens RCON just after its ready line; a command in between waits this long for it. */
export const RCON_START_MS = 2_000;
const RCON_RETRY_MS = 50;
/** C0, DEL and C1: a line end would add a second command, others are keys of a line editor or of the terminal. */
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** The part of an RCON session that commands need. */
export interface Rcon {
  run(command: string, options: { timeoutMs: number }): Promise<string>;
}

/** How a command was delivered: with an answer over RCON, or typed into the console, which answers only in its log. */
export type Delivery = { via: 'rcon'; answer: string } | { via: 'console'; because: string };

export interface CommandRoute {
  /** Absent if the server has no RCON. */
  rcon: Rcon | undefined;
  type: (line: string) => void;
  /** True if lines that are typed go over RCON as well, so that nothing else is left if it fails. */
  replacesConsole?: boolean | undefined;
  /** True if RCON that refuses connections now may accept them in a moment. */
  rconMayCome: () => boolean;
}

/** Delivers commands to a game: over RCON, and over the console if RCON cannot take them. */
export interface GameCommands {
  /**
   * Throws `rcon_unavailable` if RCON took the command and did not answer (it may have run, so it is not repeated), or if RCON replaces the console
   * and cannot take it. Set `timeoutMs` to the longest time the command may take.
   */
  send(command: string, options: { timeoutMs: number }): Promise<Delivery>;
  /**
   * For commands that are safe to run twice: falls back to the console even if RCON took the command and did not answer. If RCON replaces the console, it
   * counts as delivered then.
   */
  insist(command: string, options: { timeoutMs: number }): Promise<Delivery>;
  /** Types the command into the console without trying RCON. */
  type(command: string): void;
}

export function createGameCommands({ rcon, type, replacesConsole, rconMayCome }: CommandRoute): GameCommands {
  async function deliver(command: string, options: { timeoutMs: number }, repeatable: boolean): Promise<Delivery> {
    if (!rcon) return typed(command, 'the server has no RCON');
    try {
      return { via: 'rcon', answer: await rcon.run(command, options) };
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      if (!repeatable && error.reason === 'refused' && rconMayCome()) {
        await sleep(RCON_RETRY_MS);
        return deliver(command, options, repeatable);
      }
      if (!replacesConsole && (repeatable || wasNotSent(error))) return typed(command, error.message);
      // A server that stops may exit before it sends its answer.
      if (repeatable && !wasNotSent(error)) return { via: 'rcon', answer: '' };
      throw new GamekeeperError('rcon_unavailable', `${error.message}.`, { cause: error });
    }
  }

  function typed(command: string, because: string): Delivery {
    type(command);
    return { via: 'console', because };
  }

  return {
    send: (command, options) => deliver(command, options, false),
    insist: (command, options) => deliver(command, options, true),
    type,
  };
}

/** Throws `invalid_request` unless the command is one line that a console and RCON can take. */
export function checkCommandLine(line: string): void {
  if (line.trim() === '') throw new GamekeeperError('invalid_request', 'command: must not be empty.');
  if (CONTROL.test(line)) throw new GamekeeperError('invalid_request', 'command: must not contain control characters.');
  if (Buffer.byteLength(line) > LONGEST_COMMAND)
    throw new GamekeeperError('invalid_request', `command: must be at most ${LONGEST_COMMAND} bytes of UTF-8.`);
}
