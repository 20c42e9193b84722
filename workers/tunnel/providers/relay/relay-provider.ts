import type { TunnelPermit, TunnelWish } from '../../../../shared/contract/daemon/link.ts';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import { startHeartbeat } from '../../../../shared/node/link/heartbeat.ts';
import { parseToTunnel, type ToEdge, TUNNEL_CLOSE } from '../../../../shared/node/tunnel/relay-protocol.ts';
import type { RelayTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { type OpenTunnel, type Provider, TunnelError } from '../provider.ts';
import { Traffic } from '../traffic.ts';
import { createPlayerConnections } from './connect-player.ts';
import { DatagramPlayers } from './datagram-players.ts';
import { dialEdge } from './dial-edge.ts';

const ENDS: Readonly<Record<number, string>> = {
  [TUNNEL_CLOSE.replaced]:
    'Another Gamekeeper with the same identity has opened this tunnel. Is a copy of this data directory in use?',
  [TUNNEL_CLOSE.ended]: 'The proxy has ended this tunnel: it was removed there, or suspended.',
};

const ADVICE = 'Wait a minute. If nothing changes, ask the operator of the proxy.';

/** Resolves to the permission of the paired proxy. Throws TunnelError if there is none. */
export type AskPermit = (wish: Omit<TunnelWish, 'id'>) => Promise<TunnelPermit>;

/** A name at the hosted proxy that this computer is linked to (docs/decisions/0017). */
export function createRelayProvider({ hostname, proxyProtocol }: RelayTunnelSettings, askPermit: AskPermit): Provider {
  const traffic = new Traffic();

  async function open(target: () => TunnelTarget, signal: AbortSignal): Promise<OpenTunnel> {
    const { probe: edition } = target();
    if (edition !== 'java' && edition !== 'bedrock')
      throw new TunnelError('The proxy relays only Minecraft servers. Choose another way to open this server.');
    const permit = await askPermit({ edition, ...(hostname !== undefined && { hostname }) });
    signal.throwIfAborted();
    const players = createPlayerConnections(permit.url, { proxyProtocol, traffic });
    const lost = Promise.withResolvers<string>();
    const socket = await dialEdge(permit, signal, (opened) => {
      const datagrams = new DatagramPlayers({
        target,
        send: (message, sent) => opened.send(message, { binary: true }, sent),
        traffic,
      });
      opened.once('close', () => datagrams.close());
      opened.on('message', (data: Buffer, isBinary) => {
        if (isBinary) datagrams.receive(data);
        const player = isBinary ? undefined : parseToTunnel(data.toString());
        if (!player) return;
        void players.connect(player, target()).then((accepted) => {
          const refused: ToEdge = { type: 'refused', ticket: player.ticket };
          if (!accepted) opened.send(JSON.stringify(refused), () => undefined); // A lost link is noticed elsewhere.
        });
      });
      opened.once('close', (code) => lost.resolve(ENDS[code] ?? 'The connection to the proxy was lost.'));
      startHeartbeat(opened, { onLatency: () => undefined, onSilence: () => opened.terminate() });
    });
    const { host, port } = permit;
    return {
      address: { host, port },
      advice: ADVICE,
      lost: lost.promise,
      async close() {
        socket.terminate();
        await lost.promise;
      },
    };
  }

  return { name: 'relay', traffic, open };
}
