import type * as Client from 'openid-client';
import type { ProviderConfig, ProviderId } from './provider-config.ts';
import { discord, github, type ProvenIdentity, type WrittenProvider } from './written-providers.ts';

const TIMEOUT_S = 10;
const LONGEST_LABEL = 64;
const LONGEST_SUBJECT = 255;

/** What a sign-in at a provider must come back with. */
export interface ProviderChecks {
  verifier: string;
  nonce: string;
  state: string;
}

/** Another service at which people prove who they are. */
export interface IdentityProvider {
  id: ProviderId;
  name: string;
  /** Whose subjects they are: a subject means nothing elsewhere. */
  issuer: string;
  /** To register with the provider. */
  redirectUri: string;
  newVerifier(): Promise<string>;
  /** Resolves to the address to send the browser to. `again`: the person should prove themselves even if they are signed in there. */
  begin(checks: ProviderChecks, again: boolean): Promise<URL>;
  /** `callback`: the address that the browser came back to. Throws if the provider does not confirm anything. */
  finish(callback: URL, checks: ProviderChecks): Promise<ProvenIdentity>;
}

export interface ProvidersOptions {
  /** Of this proxy. */
  issuer: string;
  configs: readonly ProviderConfig[];
  written?: Partial<Record<ProviderId, WrittenProvider>>;
}

export function createProviders({
  issuer,
  configs,
  written = { github: github(), discord: discord() },
}: ProvidersOptions): IdentityProvider[] {
  return configs.map((config) => providerOf(config, `${issuer}/providers/${config.id}/callback`, written[config.id]));
}

function providerOf(config: ProviderConfig, redirectUri: string, written?: WrittenProvider): IdentityProvider {
  const { id, name } = config;
  const issuer = config.issuer ?? written?.metadata.issuer ?? '';
  let known: Promise<Client.Configuration> | undefined;

  /** Discovered when it is first needed, and again if that failed. */
  function configured(client: typeof Client): Promise<Client.Configuration> {
    known ??= configurationOf(client, config, written).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  return {
    id,
    name,
    issuer,
    redirectUri,
    newVerifier: async () => (await library()).randomPKCECodeVerifier(),
    async begin({ verifier, nonce, state }, again) {
      const client = await library();
      return client.buildAuthorizationUrl(await configured(client), {
        redirect_uri: redirectUri,
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(written ? written.scope !== '' && { scope: written.scope } : { scope: 'openid profile', nonce }),
        ...(again && !written && { prompt: 'login' }),
      });
    },
    async finish(callback, { verifier, nonce, state }) {
      const client = await library();
      const configuration = await configured(client);
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        ...(!written && { expectedNonce: nonce, idTokenExpected: true }),
      });
      const identity = written
        ? await askWho(client, { configuration, written, accessToken: tokens.access_token })
        : identityOf(tokens.claims());
      if (!identity || identity.subject.length > LONGEST_SUBJECT) throw new Error(`${name} does not say who it was`);
      return { ...identity, label: identity.label.slice(0, LONGEST_LABEL) };
    },
  };
}

async function configurationOf(
  client: typeof Client,
  { issuer = '', clientId, clientSecret }: ProviderConfig,
  written: WrittenProvider | undefined,
): Promise<Client.Configuration> {
  const authentication = client.ClientSecretPost(clientSecret);
  const configuration = written
    ? new client.Configuration(written.metadata, clientId, undefined, authentication)
    : await client.discovery(new URL(issuer), clientId, undefined, authentication, {
        // Only this machine may be asked without TLS (provider-config.ts).
        execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
        timeout: TIMEOUT_S,
      });
  if (written?.metadata.issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
  configuration.timeout = TIMEOUT_S;
  return configuration;
}

async function askWho(
  client: typeof Client,
  {
    configuration,
    written,
    accessToken,
  }: { configuration: Client.Configuration; written: WrittenProvider; accessToken: string },
): Promise<ProvenIdentity | undefined> {
  const headers = new Headers({ accept: 'application/json' });
  const url = new URL(written.userUrl);
  const response = await client.fetchProtectedResource(configuration, accessToken, url, 'GET', null, headers);
  return response.ok ? written.userOf(await response.json()) : undefined;
}

function identityOf(claims: Client.IDToken | undefined): ProvenIdentity | undefined {
  if (!claims) return undefined;
  const names = [claims.preferred_username, claims.email, claims.name, claims.sub];
  return { subject: claims.sub, label: names.find((name) => typeof name === 'string' && name !== '') as string };
}

/** Loaded when a provider is first used. */
function library(): Promise<typeof Client> {
  return import('openid-client');
}
