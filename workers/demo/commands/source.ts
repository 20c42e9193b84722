import type { ConsoleLog } from '../console/console-log.ts';

/** Who gave a command and gets its answer. */
export interface CommandSource {
  /** As `say` and the ban list name it. */
  readonly name: 'Server' | 'Rcon';
  /** An answer. One that changed something is `told` to the operators, and so to the log, too. */
  succeed(message: string, notice?: 'told' | 'quiet'): void;
  fail(message: string): void;
}

/** The console: answers are lines of the log. */
export function consoleSource(log: ConsoleLog): CommandSource {
  return { name: 'Server', succeed: (message) => log.info(message), fail: (message) => log.info(message) };
}

/** One command over RCON: vanilla strings its messages together with nothing between them. */
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
