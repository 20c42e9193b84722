import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import type { Daemons } from '../daemons/directory.ts';
import { SIGNING_ALGORITHM } from './keys/key-store.ts';
import { apiOf, daemonIdOf, LINK_CLIENT, LINK_SCOPE } from './resources.ts';

const ACCESS_TOKEN_S = 10 * 60;

/**
 * Says what tokens can be issued for (RFC 8707). A program that names no resource gets the proxy's own API until the person has picked servers on
 * the consent page (interactions.ts); with one server, its tokens are for that.
 */
export function resourceIndicators({ issuer, daemons }: { issuer: string; daemons: Daemons }) {
  const api = apiOf(issuer);

  async function requireOwn(daemonId: string, accountId: string): Promise<void> {
    const daemon = await daemons.find(daemonId);
    if (daemon?.accountId !== accountId) throw new errors.InvalidTarget('the account has no such server');
  }

  return {
    enabled: true,
    async defaultResource(_ctx: KoaContextWithOIDC, _client: unknown, oneOf?: readonly string[]) {
      if (!oneOf) return api;
      const picked = oneOf.filter((resource) => resource !== api);
      return picked.length === 1 || !oneOf.includes(api) ? picked[0]! : api;
    },
    useGrantedResource: async () => true,
    async getResourceServerInfo(
      ctx: KoaContextWithOIDC,
      resource: string,
      client: { clientId: string },
    ): Promise<ResourceServer> {
      const isLink = client.clientId === LINK_CLIENT;
      const daemonId = daemonIdOf(resource);
      if (resource !== api && (daemonId === undefined || isLink)) throw new errors.InvalidTarget();
      // Known once a token is issued or refreshed. Before that, whether a server exists stays unsaid.
      const accountId = ctx.oidc.entities.Account?.accountId;
      if (daemonId !== undefined && accountId !== undefined) await requireOwn(daemonId, accountId);
      return {
        scope: isLink ? LINK_SCOPE : SCOPES.join(' '),
        accessTokenFormat: 'jwt',
        accessTokenTTL: ACCESS_TOKEN_S,
        jwt: { sign: { alg: SIGNING_ALGORITHM } },
      };
    },
  };
}
