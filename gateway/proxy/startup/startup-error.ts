import { EXIT } from '../../../shared/node/processes/exit-codes.ts';

/** Why the proxy or one of its commands cannot run: what happened, and what to do. Exit status 1 by default. */
export class StartupError extends Error {
  override name = 'StartupError';
  readonly exitCode: number;

  constructor(message: string, options: { cause?: unknown; exitCode?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}
