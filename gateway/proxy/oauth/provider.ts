import { type Configuration, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Daemons } from '../daemons/directory.ts';
import { PAGE_HEADERS } from '../pages/page.ts';
import { deviceFlow } from './consent/device-flow.ts';
import { renderError } from './error-pages.ts';
import { SIGNING_ALGORITHM } from './keys/key-store.ts';
import type { KeyRing } from './keys/live-keys.ts';
import type { LimitRefresh } from './refresh-limit.ts';
import { resourceIndicators } from './resource-indicators.ts';
import { LINK_CLIENT, LINK_SCOPE } from './resources.ts';
import { silentGrantOf } from './silent-grant.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Seconds. Access tokens have theirs in resource-indicators.ts. */
const LIFETIMES = {
  AuthorizationCode: MINUTE_S,
  DeviceCode: 10 * MINUTE_S,
  IdToken: 10 * MINUTE_S,
  Interaction: HOUR_S,
  // Somebody who only looks at the page for codes has one as well.
  Session: (_ctx: unknown, { accountId }: { accountId?: string | undefined }) =>
    accountId === undefined ? HOUR_S : 14 * DAY_S,
  // Each use begins anew.
  RefreshToken: 60 * DAY_S,
  // No refresh extends it, so it must outlive every program. Grants without tokens are removed (grants.ts).
  Grant: 3_650 * DAY_S,
};

/** What is the same for every proxy. */
const FIXED: Configuration = {
  clients: [
    {
      client_id: LINK_CLIENT,
      client_name: 'Gamekeeper',
      application_type: 'native',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'none',
    },
  ],
  clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
  enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
  responseTypes: ['code'],
  scopes: ['openid', 'offline_access'],
  claims: { openid: ['sub', 'preferred_username'] },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  pkce: { required: () => true },
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: async () => false,
  extraTokenClaims: async (_ctx, token) => ('grantId' in token ? { grant_id: token.grantId } : undefined),
  clientBasedCORS: (_ctx, origin, client) =>
    client.clientAuthMethod === 'none' && (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
  ttl: LIFETIMES,
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    jwks: '/oauth/jwks',
    revocation: '/oauth/revoke',
    device_authorization: '/oauth/device',
    code_verification: '/device',
    end_session: '/oauth/end-session',
    pushed_authorization_request: '/oauth/request',
  },
  // The person is asked each time, to pick the servers.
  loadExistingGrant: async (ctx) => {
    const grantId = ctx.oidc.result?.consent?.grantId ?? silentGrantOf(ctx);
    return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
  },
  renderError,
};

export interface ProviderOptions {
  issuer: string;
  keys: KeyRing;
  adapter: NonNullable<Configuration['adapter']>;
  accounts: Accounts;
  daemons: Daemons;
  limitRefresh: LimitRefresh;
}

/**
 * Creates the OAuth 2.0 and OpenID Connect server. `accountOf` resolves to the account that the request's browser is signed in to:
 * oidc-provider has a session of its own, which must never outlive ours.
 */
export function createProvider(
  { issuer, keys, adapter, accounts, daemons, limitRefresh }: ProviderOptions,
  accountOf: (ctx: KoaContextWithOIDC) => Promise<string | undefined>,
): Provider {
  // The other cookies are for one path, which the prefix forbids (RFC 6265bis, section 4.1.3.2).
  const isSecure = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  const provider = new Provider(issuer, {
    ...FIXED,
    adapter,
    // Called when the token is known to be good, and before it is used up.
    rotateRefreshToken(ctx) {
      limitRefresh(ctx);
      return true;
    },
    jwks: { keys: [...keys.signing] },
    cookies: {
      keys: [...keys.cookies],
      names: {
        session: isSecure ? '__Host-gamekeeper_oauth' : 'gamekeeper_oauth',
        interaction: 'gamekeeper_interaction',
        resume: 'gamekeeper_resume',
      },
      long: cookie,
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // Daemons take bearer tokens, so a proof of possession would promise too much.
      dPoP: { enabled: false },
      // Programs revoke only their own tokens.
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      deviceFlow: deviceFlow(),
      resourceIndicators: resourceIndicators({ issuer, daemons }),
    },
    interactions: {
      policy: signedInPolicy(accountOf),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    async findAccount(_ctx, id) {
      const account = await accounts.find(id);
      return account && { accountId: id, claims: () => ({ sub: id, preferred_username: account.name }) };
    },
  });
  // mount.ts sets the forwarded headers itself, from the issuer.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    ctx.set(PAGE_HEADERS);
    try {
      await next();
    } catch (error) {
      // oidc-provider cannot show its error page to a browser that it has no session with (Session.persist throws).
      if (!(error instanceof TypeError) || !ctx.path.startsWith('/device/')) throw error;
      ctx.redirect('/device');
    }
    // oidc-provider lists only its own scopes.
    if (ctx.path.startsWith('/.well-known/') && ctx.status === 200)
      Object.assign(ctx.body as object, { scopes_supported: OFFERED_SCOPES });
  });
  return provider;
}

const OFFERED_SCOPES = ['openid', 'offline_access', ...SCOPES, LINK_SCOPE];

function signedInPolicy(accountOf: (ctx: KoaContextWithOIDC) => Promise<string | undefined>) {
  const policy = interactionPolicy.base();
  const check = new interactionPolicy.Check(
    'signed_out',
    'the browser is not signed in to this account',
    async (ctx) => (await accountOf(ctx)) !== ctx.oidc.session?.accountId,
  );
  policy.get('login')?.checks.add(check);
  return policy;
}
