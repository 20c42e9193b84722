import type { Grants } from '../grants.ts';
import { apiOf, resourceOf } from '../resources.ts';
import type { OauthServer } from '../server.ts';
import type { Wish } from './wish.ts';

export interface Allowance {
  accountId: string;
  /** The picked servers, all of this account. */
  daemonIds: readonly string[];
}

/** Stores what the person allows. Resolves to the grant's id, and the resources that its tokens can be for. */
export async function allow(
  { oauth: { provider }, grants }: { oauth: OauthServer; grants: Grants },
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
