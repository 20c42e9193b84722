import type { TunnelTarget } from '../../../shared/contract/tunnel.ts';

/** Returns what a game's players use. */
export function transportOf({ probe }: TunnelTarget): 'tcp' | 'udp' {
  return probe === 'bedrock' || probe === 'udp' ? 'udp' : 'tcp';
}
