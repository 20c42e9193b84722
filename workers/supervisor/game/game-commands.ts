import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RconError } from '../rcon/rcon-error.ts';

/** Vanilla opens RCON just after it has said that it is ready; a command that comes in between is worth this much waiting. */
export const RCON_START_MS = 2_000;
const RCON_LOOK_MS = 50;

/** As much of an RCON session as commands need. */
export interface Rcon {
  run(command: string, options: { timeoutMs: number }): Promise<string>;
}

/** What became of a command: an answer, or typed into the console, which answers to nobody in particular. */
export type Delivery = { via: 'rcon'; answer: string } | { via: 'console'; because: string };

export interface CommandRoute {
  /** Absent: the server has no RCON. */
  rcon: Rcon | undefined;
  /** Types one line into the console. */
  type: (line: string) => void;
  /** Whether RCON that is refused now may be there in a moment. */
  rconMayCome: () => boolean;
}

/** Gets a command to a game: over RCON, and where that cannot be, over the console at once. */
export interface GameCommands {
  /**
   * Throws `rcon_unavailable` only where RCON took the command and gave no answer: it may have been carried out, so it is not
   * repeated. `timeoutMs` as long as the command may take.
   */
  send(command: string, options: { timeoutMs: number }): Promise<Delivery>;
  /** For commands that do no harm twice: over the console also where RCON gave no answer. */
  insist(command: string, options: { timeoutMs: number }): Promise<Delivery>;
  /** Into the console, whatever RCON does. */
  type(command: string): void;
}

export function createGameCommands({ rcon, type, rconMayCome }: CommandRoute): GameCommands {
  async function deliver(command: string, options: { timeoutMs: number }, repeatable: boolean): Promise<Delivery> {
    if (!rcon) return typed(command, 'the server has no RCON');
    try {
      return { via: 'rcon', answer: await rcon.run(command, options) };
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      if (!repeatable && error.reason === 'refused' && rconMayCome()) {
        await sleep(RCON_LOOK_MS);
        return deliver(command, options, repeatable);
      }
      if (repeatable || wasNotSent(error)) return typed(command, error.message);
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

/** Without a login there was no command. */
export function wasNotSent({ reason }: RconError): boolean {
  return reason === 'refused' || reason === 'password-refused' || reason === 'closed-during-login';
}
