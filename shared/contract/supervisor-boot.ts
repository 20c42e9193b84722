import type { Intent } from '../domain/instance/intent.ts';
import type { PortUse } from '../domain/instance/port-use.ts';
import type { LastCrash } from '../domain/instance/runtime.ts';
import type { SoftwareDefinition } from '../domain/software/definition.ts';
import type { InstanceConfig } from '../schema/instance.ts';

/** How the name of a supervisor's own scope of systemd begins. Only the supervisor and its games run in it. */
export const SUPERVISOR_SCOPE = 'gamekeeper-server-';

/**
 * The daemon's first message to a new supervisor, over the parent-child channel. After that, the supervisor can keep the game running
 * without the daemon.
 */
export interface SupervisorBoot {
  type: 'boot';
  config: InstanceConfig;
  software: readonly SoftwareDefinition[];
  /** Set if the last run crashed and the server was not started since. */
  crash?: LastCrash;
  /** Set if the previous supervisor was lost: what it has recorded. The next one continues that. */
  intent?: Intent;
  /**
   * Set if the previous supervisor was lost and the crash policy allows a restart: restart a server that should run after this many
   * milliseconds, unless its game still runs.
   */
  restartInMs?: number;
  /** Set if the previous supervisor has left its game to this one. */
  handedOver?: HandedOver;
  /** Redaction rules of the settings, and the secrets in the settings (of stores, for example). */
  redaction: { patterns: string[]; exceptions: string[]; secrets?: string[] };
}

/** What a supervisor that leaves its game to the next one knows, and no record says. */
export interface HandedOver {
  /** What the console hides, also passwords that have changed since. */
  secrets: readonly string[];
  /** Who is online according to the console, and since when, milliseconds since the epoch. */
  players: readonly { name: string; since: number }[];
  /** True if the game's own stop command was typed, so that its end is no crash. */
  toldToStop: boolean;
  /** The leased ports. */
  ports: readonly PortUse[];
  /** The automatic restarts that the crash policy counts, milliseconds ago. */
  restartedMsAgo: readonly number[];
}
