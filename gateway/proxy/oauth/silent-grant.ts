import type { KoaContextWithOIDC } from 'oidc-provider';
import { wishOf } from './consent/wish.ts';

/**
 * Returns the grant that a request with `prompt=none` may use again (OpenID Connect Core, section 3.1.2.1): the last one that the person gave
 * the program in this browser. oidc-provider checks that it covers the request. Without a page nobody can pick servers, so the request must name
 * them.
 */
export function silentGrantOf({ oidc }: KoaContextWithOIDC): string | undefined {
  const { session, client, params, prompts } = oidc;
  if (!prompts.has('none') || !client || !params) return undefined;
  const { scopes, daemonIds } = wishOf(params);
  if (scopes.length > 0 && daemonIds.length === 0) return undefined;
  return session?.grantIdFor(client.clientId);
}
