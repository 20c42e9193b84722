import { createPasswordWork } from '../../shared/node/passwords/password-work.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createAdministration } from './accounts/administration/administration.ts';
import { createAudit } from './accounts/audit.ts';
import { createInvitations } from './accounts/invitations/invitations.ts';
import { createSignUp } from './accounts/invitations/sign-up.ts';
import { createCeremonies } from './accounts/passkeys/ceremonies.ts';
import { createCheckPasskey } from './accounts/passkeys/check-passkey.ts';
import { createPasskeys } from './accounts/passkeys/passkeys.ts';
import { createIdentities } from './accounts/providers/identities.ts';
import type { ProviderConfig } from './accounts/providers/provider-config.ts';
import { createProviders } from './accounts/providers/providers.ts';
import { createSecondFactors } from './accounts/second-factors/second-factors.ts';
import { createSessionCookie } from './accounts/sessions/session-cookie.ts';
import { createSessions } from './accounts/sessions/sessions.ts';
import { createBrowser } from './accounts/sessions/signed-in.ts';
import { createKnownBrowsers } from './accounts/sign-in/known-browser.ts';
import { createSignIn } from './accounts/sign-in/sign-in.ts';
import { createSignInFlow } from './accounts/sign-in/sign-in-flow.ts';
import { createRequireWayToSignIn } from './accounts/sign-in/ways-to-sign-in.ts';
import { createDaemonTokens, type DaemonTokens } from './daemons/daemon-token.ts';
import { createDaemons, type Daemons } from './daemons/directory.ts';
import type { LiveLinks, Presence } from './daemons/live-links.ts';
import { createFleet } from './fleet/fleet.ts';
import { createScrapeTokens } from './fleet/prometheus/scrape-tokens.ts';
import type { Links } from './links/links.ts';
import { createAdapter } from './oauth/adapter.ts';
import { createClients } from './oauth/clients.ts';
import { createGrants } from './oauth/grants.ts';
import { createKeyStore } from './oauth/keys/key-store.ts';
import { createLiveKeys } from './oauth/keys/live-keys.ts';
import { createRefreshLimit } from './oauth/refresh-limit.ts';
import { createOauthServer } from './oauth/server.ts';
import { createTokenCheck } from './oauth/tokens/check-token.ts';
import { createPanel } from './panel/panel.ts';
import { announcingLinks, type OtherReplicas } from './replicas/announcing-links.ts';
import type { Database } from './store/database.ts';
import type { Vault } from './store/vault.ts';

export interface ProxyOptions<Links extends LiveLinks & Presence> {
  /** The address that everybody uses, without a trailing slash. */
  issuer: string;
  database: Database;
  vault: Vault;
  /** Makes the links that daemons hold to this process. */
  linksOf: (options: { directory: Daemons; tokens: DaemonTokens }) => Links;
  /** Services at which people can sign in instead. */
  providers?: readonly ProviderConfig[];
  /** Absent if there can be none. */
  replicas?: OtherReplicas | undefined;
  /** For the panels of daemons. Absent if there are none. */
  daemonDomain?: string | undefined;
  /** Milliseconds. */
  now: () => number;
}

export type ProxyParts = Awaited<ReturnType<typeof createProxy<Links>>>;

/** Builds the parts of the proxy, leaves first. Nothing listens yet. */
export async function createProxy<Links extends LiveLinks & Presence>({
  issuer,
  database,
  vault,
  linksOf,
  providers: configs = [],
  replicas,
  daemonDomain: domain,
  now,
}: ProxyOptions<Links>) {
  const accounts = createAccounts(database, now);
  const audit = createAudit(database, now);
  const administration = createAdministration(database, now);
  const sessions = createSessions({ database, vault, now });
  const daemons = createDaemons(database, now);
  const daemonTokens = createDaemonTokens({ directory: daemons, issuer, now });
  const links = linksOf({ directory: daemons, tokens: daemonTokens });
  const liveLinks = replicas ? announcingLinks(links, replicas) : links;
  const clients = createClients({ database, vault, now });
  const grants = createGrants({ database, vault, links: liveLinks, now });
  const passwords = createPasswordWork();
  const secondFactors = createSecondFactors({ database, vault, now });
  const signIn = createSignIn({ accounts, secondFactors, passwords, now });
  const known = createKnownBrowsers({ issuer, vault, now });
  const browser = createBrowser({ accounts, sessions, audit, cookie: createSessionCookie(issuer), known });
  const ceremonies = createCeremonies({ issuer, database, vault, now });
  const providers = createProviders({ issuer, configs });
  const issuers = providers.map((provider) => provider.issuer);
  const requireWayToSignIn = createRequireWayToSignIn(ceremonies.rpId, issuers);
  const identities = createIdentities({ database, requireWayToSignIn, now });
  const passkeys = createPasskeys({ database, ceremonies, requireWayToSignIn, now });
  const invitations = createInvitations({ database, vault, now });
  const signUp = createSignUp({ database, invitations, ceremonies, now });
  const checkPasskey = createCheckPasskey({ passkeys, audit, now });
  const ways = { signIn, secondFactors, checkPasskey, providers };
  const signInFlow = createSignInFlow({ accounts, ...ways, browser, known, vault, now });
  const keys = await createLiveKeys(createKeyStore({ database, vault, now }));
  const adapter = createAdapter({ database, vault, clients, grants, now });
  const oauth = createOauthServer(
    { issuer, keys, adapter, accounts, daemons, limitRefresh: createRefreshLimit(now) },
    async ({ req }) => (await browser.userOf(req.headers))?.account.id,
  );
  return {
    issuer,
    database,
    vault,
    now,
    keys,
    oauth,
    accounts,
    audit,
    administration,
    sessions,
    passwords,
    secondFactors,
    passkeys,
    identities,
    providers,
    invitations,
    signUp,
    checkPasskey,
    signIn,
    signInFlow,
    browser,
    daemons,
    clients,
    grants,
    links,
    scrapeTokens: createScrapeTokens({ database, vault, now }),
    fleet: createFleet({ database, connected: (ids) => liveLinks.connected(ids) }),
    liveLinks,
    panel: domain === undefined ? undefined : createPanel({ issuer, domain, database, vault, keys, now }),
    tokens: {
      check: createTokenCheck({ keys, grants, daemons, accounts, issuer, now }),
      daemon: daemonTokens,
    },
  };
}

/** Without links there is nobody to tell. */
export const noLinks = (): LiveLinks & Presence => ({
  disconnect: () => undefined,
  tell: () => undefined,
  connected: async () => new Set(),
});
