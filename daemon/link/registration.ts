import type { JWK } from 'jose';
import * as z from 'zod';
import type { Scope } from '../../shared/domain/access/scope.ts';
import { PRINTABLE_LINE } from '../../shared/domain/console/invisible-characters.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { askProxy, type ProxyAnswer, wordsOf } from './ask-proxy.ts';
import { requireSameOrigin } from './discovery.ts';

/** Other answers about accounts are too long or not fit for a terminal: then no account is shown. */
const account = z.string().min(1).max(255).regex(PRINTABLE_LINE).optional().catch(undefined);

const registered = z.object({
  resource: z.string(),
  issuer: z.string(),
  jwksUri: z.string(),
  account,
  accountId: z.string().min(1).max(255),
});

export interface Registration {
  issuer: string;
  /** From the approval. */
  accessToken: string;
  daemonId: string;
  /** The `aud` that tokens for this daemon need. */
  resource: string;
  name: string;
  publicKey: JWK;
  scopes: readonly Scope[];
}

/** What the proxy says about the account that has approved the link. */
export interface Registered {
  jwksUri: string;
  account?: string;
  accountId: string;
}

/**
 * Registers this daemon with the token of the approval. `proof`: a new token of the daemon, which shows that it has the key. Throws `proxy_unavailable`, or `proxy_refused` if the proxy does not accept it or does
 * not agree on who is who.
 */
export async function register(
  { issuer, accessToken, resource, ...about }: Registration,
  { proof, signal }: { proof: string; signal: AbortSignal },
): Promise<Registered> {
  const answer = await askProxy(`${api(issuer)}/daemons`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...about, proof }),
  });
  if (answer.status !== 200 && answer.status !== 201) throw refusalOf(answer);
  const { data } = registered.safeParse(answer.body);
  if (data?.resource !== resource || data.issuer !== issuer)
    throw new GamekeeperError('proxy_refused', 'The proxy answered with the data of another daemon or proxy.');
  requireSameOrigin(issuer, [data.jwksUri]);
  const { jwksUri, accountId } = data;
  return { jwksUri, accountId, ...(data.account !== undefined && { account: data.account }) };
}

/** Tells a proxy that this daemon is no longer linked to it. Returns false if it may still list the daemon. */
export async function unregister(issuer: string, daemonId: string, daemonToken: string): Promise<boolean> {
  try {
    const { status } = await askProxy(`${api(issuer)}/daemons/${daemonId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${daemonToken}` },
    });
    // It does not know this daemon or its key: the owner has removed it there.
    const isUnknown = status === 401 || status === 404;
    return status === 204 || isUnknown;
  } catch {
    return false;
  }
}

function refusalOf(answer: ProxyAnswer): GamekeeperError {
  if ((answer.body as { code?: unknown } | undefined)?.code === 'daemon_taken')
    return new GamekeeperError('proxy_refused', 'This daemon is linked to another account at this proxy.', {
      resolution: 'Run "gamekeeper unlink" first, or remove this daemon at the proxy with that account.',
    });
  return new GamekeeperError('proxy_refused', `The proxy did not register this daemon: ${wordsOf(answer)}.`);
}

function api(issuer: string): string {
  return `${issuer.replace(/\/+$/, '')}/api`;
}
