import { once } from 'node:events';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import { joinSockets } from '../../../../shared/node/tunnel/join-sockets.ts';
import {
  MEET_WITHIN_MS,
  PLAYER_UPGRADE,
  TICKET_HEADER,
  type ToTunnelProcess,
} from '../../../../shared/node/tunnel/relay-protocol.ts';
import type { Traffic } from '../traffic.ts';
import { proxyHeader } from './proxy-header.ts';

const KEEP_ALIVE_MS = 30_000;

export interface PlayerConnections {
  /** Connects a player who waits at the edge with the game. Resolves to false if the game does not accept connections. */
  connect(player: ToTunnelProcess, target: TunnelTarget): Promise<boolean>;
}

/** Makes connections to the edge at `url`. Each lives as long as the player, whatever happens to the control link. */
export function createPlayerConnections(
  url: string,
  { proxyProtocol, traffic }: { proxyProtocol: boolean; traffic: Traffic },
): PlayerConnections {
  return {
    async connect(player, target) {
      const { host, port } = target;
      const game = connect({ host, port, noDelay: true, allowHalfOpen: true });
      game.on('error', () => undefined); // Followed by 'close'.
      try {
        await once(game, 'connect', { signal: AbortSignal.timeout(MEET_WITHIN_MS) });
      } catch {
        game.destroy();
        return false;
      }
      traffic.follow(game);
      // The port of a sleeping server is ours, and needs none.
      if (proxyProtocol && !target.asleep) game.write(proxyHeader(player, port));
      try {
        joinSockets(await openAt(url, player.ticket), game);
      } catch {
        game.destroy(); // The player has left, or the edge is gone.
      }
      return true;
    },
  };
}

async function openAt(url: string, ticket: string): Promise<Socket> {
  const isSecure = url.startsWith('https:');
  const { request, Agent } = isSecure ? await import('node:https') : { request: plainRequest, Agent: PlainAgent };
  const opening = request(url, {
    // With the whole connection for itself: what the game has still to say must not be lost when the player says no more.
    agent: new Agent({ keepAlive: false, allowHalfOpen: true } as object),
    headers: { connection: 'Upgrade', upgrade: PLAYER_UPGRADE, [TICKET_HEADER]: ticket },
    timeout: MEET_WITHIN_MS,
  });
  opening.on('timeout', () => opening.destroy());
  opening.on('response', (response: IncomingMessage) => {
    opening.destroy(new Error(`the edge answered ${response.statusCode}`));
  });
  opening.end();
  const [, socket, head] = (await once(opening, 'upgrade')) as [IncomingMessage, Socket, Buffer];
  socket.on('error', () => undefined); // Followed by 'close'.
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  if (head.length > 0) socket.unshift(head);
  return socket;
}
