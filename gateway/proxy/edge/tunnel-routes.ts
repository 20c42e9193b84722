import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { INSTANCE_ID_PATTERN } from '../../../shared/domain/instance/instance-id.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { relayName } from '../../../shared/schema/tunnel.ts';
import type { DaemonTokens } from '../daemons/daemon-token.ts';
import { bearerOf } from '../http/refuse.ts';
import type { Database } from '../store/database.ts';
import { claimTunnel } from './tunnels/claim.ts';
import { createEdges } from './tunnels/edges.ts';
import { createTunnels } from './tunnels/tunnels.ts';

const tunnelWish = z.strictObject({ edition: z.enum(['java', 'bedrock']), hostname: relayName.optional() });

export interface TunnelRoutesOptions {
  database: Database;
  tokens: { daemon: Pick<DaemonTokens, 'redeem'> };
  /** Milliseconds. */
  now: () => number;
}

interface Params {
  daemonId: string;
  instance: string;
}

/** The API for daemons whose servers players reach through this proxy. Every replica serves it, whether it is an edge or not. */
export function tunnelRoutes(app: FastifyInstance, { database, tokens, now }: TunnelRoutesOptions): void {
  const edges = createEdges(database, now);
  const tunnels = createTunnels(database, now);

  app.put<{ Params: Params }>('/api/daemons/:daemonId/tunnels/:instance', async ({ params, body, raw }) => {
    const { daemonId, accountId } = await tokens.daemon.redeem(bearerOf(raw) ?? '', params.daemonId);
    if (!INSTANCE_ID_PATTERN.test(params.instance))
      throw new GamekeeperError('invalid_request', 'Path: instance: is not the id of a server.');
    const wish = tunnelWish.safeParse(body);
    if (!wish.success) {
      const [issue] = wish.error.issues;
      throw new GamekeeperError('invalid_request', `Body: ${issue?.path.join('.') || 'value'}: ${issue?.message}.`);
    }
    const claim = { daemonId, accountId, instance: params.instance, ...wish.data };
    const { edge, tunnel } = await claimTunnel(claim, { database, edges, now });
    return { url: edge.url, host: `${tunnel.label}.${edge.suffix}`, port: tunnel.udpPort ?? edge.port };
  });

  app.delete<{ Params: Params }>('/api/daemons/:daemonId/tunnels/:instance', async ({ params, raw }, reply) => {
    const { daemonId } = await tokens.daemon.redeem(bearerOf(raw) ?? '', params.daemonId);
    await tunnels.remove(daemonId, params.instance);
    return reply.code(204).send();
  });
}
