import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TunnelTarget } from '../../../shared/contract/tunnel.ts';
import type { GameAddress } from '../../../shared/domain/tunnel/game-address.ts';
import { pingBedrockServer } from '../../../shared/node/list-ping/ping-bedrock-server.ts';
import { pingServer, type ServerPing } from '../../../shared/node/list-ping/ping-server.ts';
import { type NumericAddress, resolveAddress } from '../../../shared/node/list-ping/resolve-address.ts';
import { ANOTHER_SERVER, explainProbe } from './explain-probe.ts';

/** Players give up before. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** A proxy may still show for a second what the server said before it woke up. Milliseconds. */
const AGAIN_MS = 1_500;

export interface ProbeResult {
  /** Absent if the name does not resolve. */
  numeric?: NumericAddress;
  /** Absent if players cannot connect, or this cannot be found out. */
  pingMs?: number;
  error?: string;
}

/**
 * Connects to the public address as a player would, and checks that this server answers there. A game over UDP that has no server list ping
 * cannot be asked: then only the name is looked up. `advice`: what to check if it cannot be reached, when no router is involved.
 */
export async function probe(address: GameAddress, target: TunnelTarget, advice?: string): Promise<ProbeResult> {
  let numeric: NumericAddress | undefined;
  try {
    numeric = await resolveAddress(address, target.probe === 'bedrock' ? 'bedrock' : 'java');
    if (target.probe === 'udp') return { numeric };
    if (target.probe === 'tcp') return { numeric, pingMs: await connectTime(numeric) };
    const ask = { numeric, name: address.host, target };
    let latencyMs = await latencyOfServer(ask);
    if (latencyMs === undefined) {
      await delay(AGAIN_MS);
      latencyMs = await latencyOfServer(ask);
    }
    if (latencyMs === undefined) return { numeric, error: ANOTHER_SERVER };
    return { numeric, pingMs: Math.max(0, Math.round(latencyMs)) };
  } catch (error) {
    return { ...(numeric && { numeric }), error: explainProbe(address, error, advice) };
  }
}

/** Resolves to `undefined` if another server than that of the target answers. Throws ListPingError if none does. */
async function latencyOfServer({
  numeric,
  name,
  target,
}: {
  numeric: NumericAddress;
  name: string;
  target: TunnelTarget;
}): Promise<number | undefined> {
  const ping = target.probe === 'java' ? pingServer : pingBedrockServer;
  const found = await ping({ host: numeric.ip, port: numeric.port, name, timeoutMs: TIMEOUT_MS });
  const own = await ping({ host: target.host, port: target.port, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
  return own && !isSameServer(own, found) ? undefined : found.latencyMs;
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
