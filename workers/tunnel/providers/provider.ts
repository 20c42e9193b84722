import type { LearnedSettings, TunnelTarget } from '../../../shared/contract/tunnel.ts';
import type { GameAddress } from '../../../shared/domain/tunnel/game-address.ts';
import type { Traffic } from './traffic.ts';

/** One way of making a server reachable from the internet. */
export interface Provider {
  readonly name: string;
  /** Absent if the players do not pass through this process. */
  readonly traffic?: Traffic;
  /**
   * Opens the tunnel. Throws TunnelError with the reason in words for the owner, and the reason of `signal`. `target` returns where the game
   * listens at the moment.
   */
  open(target: () => TunnelTarget, signal: AbortSignal, news: ProviderNews): Promise<OpenTunnel>;
}

/** What is to be told before the tunnel is open. */
export interface ProviderNews {
  /** The owner has to open this URL and allow the tunnel. It is forgotten when the tunnel opens or fails. */
  claim(url: string): void;
  /** To be stored in the settings. */
  learned(learned: LearnedSettings): void;
}

export interface OpenTunnel {
  /** What players connect to. */
  readonly address: GameAddress;
  /** Set if the tunnel leads to this target only: it is opened again when the game listens elsewhere. */
  readonly target?: TunnelTarget;
  /** What the owner should check if players cannot connect to the address. Absent: where the router forwards the port. */
  readonly advice?: string;
  /** Fingerprint of the SSH server that it uses. */
  readonly hostKey?: string;
  /** Resolves to the reason when the tunnel is lost. Never rejects. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

/** A tunnel cannot be opened: the message says why, and what to do. It contains no secrets. */
export class TunnelError extends Error {
  override name = 'TunnelError';
}
