import { EXIT } from './exit-codes.ts';

/** Why a process or a command cannot run. The message is shown at the terminal: what happened and what to do. Exit status 1 by default. */
export class StartupError extends Error {
  override name = 'StartupError';
  readonly exitCode: number;

  constructor(message: string, options: { cause?: unknown; exitCode?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}
