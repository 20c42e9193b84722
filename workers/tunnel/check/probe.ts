import { once } from 'node:events';
import { connect } from 'node:net';
import type { TunnelTarget } from '../../../shared/contract/tunnel.ts';
import type { GameAddress } from '../../../shared/domain/tunnel/game-address.ts';
import { pingBedrockServer } from '../../../shared/node/list-ping/ping-bedrock-server.ts';
import { pingServer, type ServerPing } from '../../../shared/node/list-ping/ping-server.ts';
import { type NumericAddress, resolveAddress } from '../../../shared/node/list-ping/resolve-address.ts';
import { ANOTHER_SERVER, explainProbe } from './explain-probe.ts';

/** Players give up before. Milliseconds. */
const TIMEOUT_MS = 5_000;

export interface ProbeResult {
  /** Absent if the name does not resolve. */
  numeric?: NumericAddress;
  /** Absent if players cannot connect, or this cannot be found out. */
  pingMs?: number;
  error?: string;
}

/**
 * Connects to the public address as a player would, and checks that this server answers there. A game over UDP that has no server list ping
 * cannot be asked: then only the name is looked up.
 */
export async function probe(address: GameAddress, target: TunnelTarget): Promise<ProbeResult> {
  let numeric: NumericAddress | undefined;
  try {
    numeric = await resolveAddress(address, target.probe === 'bedrock' ? 'bedrock' : 'java');
    if (target.probe === 'udp') return { numeric };
    if (target.probe === 'tcp') return { numeric, pingMs: await connectTime(numeric) };
    const ping = target.probe === 'java' ? pingServer : pingBedrockServer;
    const found = await ping({ host: numeric.ip, port: numeric.port, name: address.host, timeoutMs: TIMEOUT_MS });
    const own = await ping({ host: target.host, port: target.port, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
    if (own && !isSameServer(own, found)) return { numeric, error: ANOTHER_SERVER };
    return { numeric, pingMs: Math.max(0, Math.round(found.latencyMs)) };
  } catch (error) {
    return { ...(numeric && { numeric }), error: explainProbe(address, error) };
  }
}

/** Texts and player counts may change between two pings. */
function isSameServer(one: ServerPing, other: ServerPing): boolean {
  return one.version === other.version && one.protocol === other.protocol && one.max === other.max;
}

/** Milliseconds. */
async function connectTime({ ip, port }: NumericAddress): Promise<number> {
  const began = performance.now();
  const socket = connect({ host: ip, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return Math.round(performance.now() - began);
  } finally {
    socket.destroy();
  }
}
