import type { ConsoleLog } from '../console/console-log.ts';

/** The sender of a command, who gets the answer. */
export interface CommandSource {
  /** For `say` and the ban list. */
  readonly name: 'Server' | 'Rcon';
  /** Answers the sender. After a change (`told`), operators and the log get a notice too. */
  succeed(message: string, notice?: 'told' | 'quiet'): void;
  fail(message: string): void;
}

/** The console, whose answers are lines of the log. */
export function createConsoleSource(log: ConsoleLog): CommandSource {
  return { name: 'Server', succeed: (message) => log.info(message), fail: (message) => log.info(message) };
}

/** One command over RCON. Like vanilla, joins the messages without a separator. */
export class RconSource implements CommandSource {
  readonly name = 'Rcon';
  answer = '';
  readonly #log: ConsoleLog;

  constructor(log: ConsoleLog) {
    this.#log = log;
  }

  succeed(message: string, notice: 'told' | 'quiet' = 'quiet'): void {
    this.answer += message;
    if (notice === 'told') this.#log.info(`[Rcon: ${message}]`);
  }

  fail(message: string): void {
    this.answer += message;
  }
}
