import type { TunnelStatus } from '../domain/tunnel/tunnel-status.ts';
import type { TunnelSettings } from '../schema/tunnel.ts';
import type { TunnelPermit, TunnelWish } from './daemon/link.ts';

/** Where the game listens, as seen from this machine, and how it is asked whether it answers. */
export interface TunnelTarget {
  host: string;
  port: number;
  /** `java`, `bedrock`: by a server list ping. `tcp`: by a connection. `udp`: it cannot be asked. */
  probe: 'java' | 'bedrock' | 'tcp' | 'udp';
  /** True while the game, or the port of a sleeping server, answers players. */
  answers: boolean;
  /** True while the port is the supervisor's, which wakes the game when a player joins. */
  asleep?: boolean;
}

/** From a supervisor to its tunnel process, over Node's parent-child channel. The first message has `settings`. */
export type ToTunnel =
  | { type: 'open'; settings: TunnelSettings; target: TunnelTarget }
  | { type: 'target'; target: TunnelTarget }
  | { type: 'probe' }
  /** The answer to the request with this number: a permit, or why there is none. */
  | { type: 'permit'; number: number; permit: TunnelPermit }
  | { type: 'no-permit'; number: number; error: string };

/**
 * From a tunnel process to its supervisor: each change of the status, and the status after each requested probe. What a tunnel learns from its
 * first connection is to be stored in its settings. `permit` asks for a permit of the paired proxy.
 */
export type FromTunnel =
  | { type: 'status'; status: TunnelStatus }
  | { type: 'probed' }
  | { type: 'learned'; learned: LearnedSettings }
  | { type: 'permit'; number: number; wish: Omit<TunnelWish, 'id'> };

/** The host key of an SSH server; the secret that a provider gave. */
export type LearnedSettings = { provider: 'ssh'; hostKey: string } | { provider: 'playit'; secret: string };
