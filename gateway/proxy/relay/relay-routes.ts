import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { requestId } from '../../http/request.ts';
import type { EdgeServer } from '../edge/edge.ts';
import { refuseUpgrade } from '../http/refuse.ts';
import type { Links } from '../links/links.ts';
import type { PanelHosts } from '../panel/panel-hosts.ts';
import { Relay, type RelayOptions } from './relay.ts';

export interface RelayRoutesOptions extends RelayOptions {
  links: Pick<Links, 'accept'>;
  /** Absent unless players connect to this process. */
  edge?: Pick<EdgeServer, 'accept'> | undefined;
  /** Absent: there are no hosts of daemons. */
  panelHosts?: Pick<PanelHosts, 'upgrade'> | undefined;
}

/**
 * Returns a Fastify plugin that serves `/d/{daemonId}/...` and the upgrades to WebSocket of the whole server: those of clients, and the links
 * and tunnels of daemons.
 */
export function relayRoutes(options: RelayRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const relay = new Relay(options);
  return async (app) => {
    // Bodies are passed on, not parsed.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _body, done) => done(null));
    app.all('/d/*', (request, reply) => {
      reply.hijack();
      relay.handle(request.raw, reply.raw);
    });
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // A client that resets the connection must not end this process. Followed by 'close'.
      socket.on('error', () => undefined);
      if (options.panelHosts?.upgrade(request, socket, head)) return;
      const { url = '' } = request;
      if (url.startsWith('/d/')) relay.upgrade(request, socket, head);
      else if (url.startsWith('/link/')) options.links.accept(request, socket, head);
      else if (options.edge && url.startsWith('/tunnel/')) options.edge.accept(request, socket, head);
      else
        refuseUpgrade(
          socket,
          new GamekeeperError('route_not_found', 'This path does not accept WebSocket connections.'),
          {
            issuer: options.issuer,
            requestId: requestId(request),
          },
        );
    });
  };
}
