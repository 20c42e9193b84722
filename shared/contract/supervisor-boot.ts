import type { LastCrash } from '../domain/runtime.ts';
import type { SoftwareDefinition } from '../domain/software/definition.ts';
import type { InstanceConfig } from '../schema/instance.ts';

/**
 * The first message of the daemon to a supervisor that it has just forked, over the parent-child channel. After it the supervisor
 * depends on the daemon for nothing that keeps the game going.
 */
export interface SupervisorBoot {
  type: 'boot';
  config: InstanceConfig;
  /** The owner's own kinds of software. */
  software: readonly SoftwareDefinition[];
  /** How the last run has ended, where that was a crash and nobody has started the server since. */
  crash?: LastCrash;
  /** The supervisor before this one was lost: this one is to start the server again after so many milliseconds, unless its game goes on. */
  restartInMs?: number;
  /** What the settings say of redaction, and the secrets that they hold themselves (of stores and the like). */
  redaction: { patterns: string[]; exceptions: string[]; secrets?: string[] };
}
