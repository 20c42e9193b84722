import type { TunnelStatus } from '../domain/tunnel/tunnel-status.ts';
import type { TunnelSettings } from '../schema/tunnel.ts';

/** Where the game listens, as seen from this machine, and how it is asked whether it answers. */
export interface TunnelTarget {
  host: string;
  port: number;
  /** `java`, `bedrock`: by a server list ping. `tcp`: by a connection. `udp`: it cannot be asked. */
  probe: 'java' | 'bedrock' | 'tcp' | 'udp';
  /** True while the game, or the port of a sleeping server, answers players. */
  answers: boolean;
}

/** From a supervisor to its tunnel process, over Node's parent-child channel. The first message has `settings`. */
export type ToTunnel =
  | { type: 'open'; settings: TunnelSettings; target: TunnelTarget }
  | { type: 'target'; target: TunnelTarget }
  | { type: 'probe' };

/**
 * From a tunnel process to its supervisor: each change of the status, and the status after each requested probe. What a tunnel learns from its
 * first connection is to be stored in its settings.
 */
export type FromTunnel =
  | { type: 'status'; status: TunnelStatus }
  | { type: 'probed' }
  | { type: 'learned'; learned: LearnedSettings };

/** The host key of an SSH server; the secret that a provider gave. */
export type LearnedSettings = { provider: 'ssh'; hostKey: string } | { provider: 'playit'; secret: string };
