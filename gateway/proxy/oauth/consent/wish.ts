import { isScope } from '../../../../shared/domain/access/scope.ts';
import { daemonIdOf, LINK_SCOPE } from '../resources.ts';

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
