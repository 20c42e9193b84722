import type { Provider } from 'oidc-provider';
import { isScope } from '../../../shared/domain/access/scope.ts';
import type { Grants } from './grants.ts';
import { apiOf, daemonIdOf, LINK_SCOPE, resourceOf } from './resources.ts';

/** What a program asks for, from the parameters of its request. */
export interface Wish {
  clientId: string;
  /** Our scopes among those that it asks for. */
  scopes: string[];
  /** Scopes of OpenID Connect. */
  identityScopes: string[];
  /** The servers that it names; empty if the person should pick. */
  daemonIds: string[];
  /** It links a daemon with the account. */
  isLink: boolean;
}

export function wishOf(params: Record<string, unknown>): Wish {
  const words = typeof params.scope === 'string' ? params.scope.split(' ') : [];
  const resources = [params.resource].flat().map(String);
  const isLink = words.includes(LINK_SCOPE);
  return {
    clientId: String(params.client_id),
    scopes: isLink ? [LINK_SCOPE] : words.filter(isScope),
    identityScopes: words.filter((word) => word === 'openid' || word === 'offline_access'),
    daemonIds: resources.flatMap((resource) => daemonIdOf(resource) ?? []),
    isLink,
  };
}

export interface Allowance {
  accountId: string;
  /** The picked servers, all of this account. */
  daemonIds: readonly string[];
}

/** Stores what the person allows. Resolves to the grant's id, and the resources that its tokens can be for. */
export async function allow(
  { provider, grants }: { provider: Provider; grants: Grants },
  wish: Wish,
  { accountId, daemonIds }: Allowance,
): Promise<{ grantId: string; resources: string[] }> {
  const grant = new provider.Grant({ accountId, clientId: wish.clientId });
  const resources = [apiOf(provider.issuer), ...daemonIds.map(resourceOf)];
  if (wish.identityScopes.length > 0) grant.addOIDCScope(wish.identityScopes.join(' '));
  if (wish.scopes.length > 0) for (const resource of resources) grant.addResourceScope(resource, wish.scopes.join(' '));
  const grantId = await grant.save();
  await grants.makeSpaceFor(grantId, accountId);
  return { grantId, resources };
}
