import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import {
  formatGameAddress,
  type GameAddress,
  parseGameAddress,
} from '../../../../shared/domain/tunnel/game-address.ts';
import { DEFAULT_PORTS } from '../../../../shared/node/list-ping/resolve-address.ts';
import { isPublicAddress } from '../../../../shared/node/public-address.ts';
import type { StaticTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { type OpenTunnel, type Provider, TunnelError } from '../provider.ts';
import { transportOf } from '../transport.ts';
import { type KeepMappingOptions, type KeptMapping, keepMapping } from './mapping/kept-mapping.ts';

/** An address whose port the owner forwards, or the router when it is asked to. */
export function createStaticProvider(
  { address: text, mapping }: StaticTunnelSettings,
  options: KeepMappingOptions = {},
): Provider {
  const wanted = text === undefined ? undefined : parseGameAddress(text);
  return {
    name: 'static',
    async open(current, signal) {
      if (text !== undefined && !wanted)
        throw new TunnelError(`"${text}" is not an address. Set one such as play.example.net:25565.`);
      if (mapping === 'auto') return openByRouter({ wanted, target: current(), options }, signal);
      if (!wanted) throw new TunnelError('Set the address that players type, such as play.example.net:25565.');
      return { address: wanted, lost: new Promise(() => undefined), close: async () => undefined };
    },
  };
}

interface RouterTunnel {
  wanted: GameAddress | undefined;
  target: TunnelTarget;
  options: KeepMappingOptions;
}

async function openByRouter({ wanted, target, options }: RouterTunnel, signal: AbortSignal): Promise<OpenTunnel> {
  const publicPort = wanted ? portOf(wanted, target) : target.port;
  const wish = { transport: transportOf(target), port: target.port, publicPort };
  const kept = await keepMapping(wish, signal, options);
  try {
    requireReachable(kept, wanted && { ...wanted, port: publicPort });
  } catch (error) {
    await kept.close();
    throw error;
  }
  const address = wanted ?? { host: kept.publicAddress, port: kept.publicPort };
  return { address, target, lost: kept.lost, close: () => kept.close() };
}

function portOf({ port }: GameAddress, target: TunnelTarget): number {
  if (port !== undefined) return port;
  return target.probe === 'java' || target.probe === 'bedrock' ? DEFAULT_PORTS[target.probe] : target.port;
}

function requireReachable({ publicAddress, publicPort }: KeptMapping, wanted: GameAddress | undefined): void {
  if (!isPublicAddress(publicAddress))
    throw new TunnelError(
      `Your router has no public address itself (${publicAddress}): it is behind another router, or your provider shares one address among customers. A forwarded port cannot be reached from the internet; choose another way.`,
    );
  if (wanted?.port !== undefined && wanted.port !== publicPort)
    throw new TunnelError(
      `Port ${wanted.port} of your router is taken; it offers ${publicPort}. Set the address ${formatGameAddress({ ...wanted, port: publicPort })}, or free the port in its settings.`,
    );
}
