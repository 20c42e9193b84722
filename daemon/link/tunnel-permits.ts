import * as z from 'zod';
import type { TunnelPermit, TunnelWish } from '../../shared/contract/daemon/link.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { TUNNEL_TOKEN, tunnelPath } from '../../shared/node/tunnel/relay-protocol.ts';
import { askProxy, wordsOf } from './ask-proxy.ts';
import { signDaemonToken } from './daemon-token.ts';

const LARGEST_PORT = 65_535;
const claimed = z.object({
  url: z.string().max(300),
  host: z.string().regex(/^[a-z0-9.-]{3,253}$/),
  port: z.int().min(1).max(LARGEST_PORT),
});

/** Who asks, and how it proves itself. */
export interface TunnelAsker {
  issuer: string;
  daemonId: string;
  privateKey: string;
  /** Milliseconds. */
  now: number;
}

/**
 * Has the proxy give a server an address, and signs a token for its tunnel process, which is good for this server and edge only. Throws
 * `proxy_unavailable`, or `proxy_refused` with the proxy's reason.
 */
export async function permitTunnel({ id, ...wish }: TunnelWish, asker: TunnelAsker): Promise<TunnelPermit> {
  const { issuer, daemonId, privateKey, now } = asker;
  const answer = await askProxy(addressOf(id, asker), {
    method: 'PUT',
    headers: { authorization: `Bearer ${await proofOf(asker)}`, 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  if (answer.status === 404)
    throw new GamekeeperError('proxy_refused', `The proxy ${issuer} is too old to relay players.`, {
      resolution: 'Ask whoever runs it to update it.',
    });
  if (answer.status !== 200)
    throw new GamekeeperError('proxy_refused', wordsOf(answer), {
      resolution: 'See the reason, or ask whoever runs the proxy.',
    });
  const { data } = claimed.safeParse(answer.body);
  if (!data || !isEdgeOf(issuer, data.url))
    throw new GamekeeperError('proxy_refused', 'The proxy names an edge that does not belong to it.');
  const url = `${data.url}${tunnelPath(daemonId, id)}`;
  const purpose = { typ: TUNNEL_TOKEN.typ, audience: url };
  return {
    url,
    token: await signDaemonToken(privateKey, { daemonId, now, ...purpose }),
    host: data.host,
    port: data.port,
  };
}

/** Tells the proxy that a server needs no address any more. Throws if it cannot be told. */
export async function giveUpTunnel(id: string, asker: TunnelAsker): Promise<void> {
  const headers = { authorization: `Bearer ${await proofOf(asker)}` };
  await askProxy(addressOf(id, asker), { method: 'DELETE', headers });
}

function addressOf(id: string, { issuer, daemonId }: TunnelAsker): string {
  return `${issuer.replace(/\/+$/, '')}/api/daemons/${daemonId}/tunnels/${id}`;
}

function proofOf({ privateKey, issuer, daemonId, now }: TunnelAsker): Promise<string> {
  return signDaemonToken(privateKey, { daemonId, audience: issuer, now });
}

/**
 * Returns whether an edge belongs to the proxy: it has the same host, or one beside or below it. A proxy must not make this machine connect to
 * others, for example in its own network.
 */
function isEdgeOf(issuer: string, edge: string): boolean {
  const [own, url] = [new URL(issuer), URL.parse(edge)];
  if (!url || url.origin !== edge) return false;
  if (url.hostname === own.hostname) return url.protocol === own.protocol;
  const parent = own.hostname.slice(own.hostname.indexOf('.') + 1);
  const isNamed = !/^[\d.]+$|^\[/.test(own.hostname) && parent.includes('.');
  return url.protocol === 'https:' && isNamed && url.hostname.endsWith(`.${parent}`);
}
