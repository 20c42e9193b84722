import type { LastCrash } from '../../shared/domain/runtime.ts';

/** What an instance keeps of a supervisor that died under its server. */
export function lossOf(at: Date): LastCrash {
  return {
    at: at.toISOString(),
    exitCode: null,
    signal: null,
    reason: 'The process that supervises the server ended unexpectedly.',
    restarts: 0,
  };
}
