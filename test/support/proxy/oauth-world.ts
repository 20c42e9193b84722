import * as client from 'openid-client';
import type { Test } from 'tap';
import { createClients } from '../../../gateway/proxy/oauth/clients.ts';
import { approveDevice } from '../../../gateway/proxy/oauth/consent/approve-device.ts';
import { createProxy, noLinks } from '../../../gateway/proxy/proxy.ts';
import { createDaemonKey, linkToken } from '../link/daemon-key.ts';
import { FormBrowser, LeftSite, type Page } from './form-browser.ts';
import { PASSWORD, type RunningProxy, startProxy } from './proxy-process.ts';

/** Nothing listens there: the browser stops at the redirect. */
export const CALLBACK = 'http://127.0.0.1:9/callback';
const ALL_SCOPES = 'servers:read servers:write backups:create logs:read tunnels:manage';

export interface LinkedDaemon {
  daemonId: string;
  resource: string;
  /** Signs a token with the daemon's own key. */
  token(claims?: Record<string, unknown>): Promise<string>;
}

export interface RegisteredProgram {
  id: string;
  /** None if it is public. */
  secret?: string;
}

export interface OauthWorld {
  proxy: RunningProxy;
  /** The third-party library, set up for a confidential client. */
  program: client.Configuration;
  /** The program's `Authorization` header. */
  authorization: string;
  /** Registers another program with the address CALLBACK. */
  register(name: string, options?: { isPublic?: boolean }): Promise<RegisteredProgram>;
  /** A browser that is signed in as an account. */
  browser(name: string): Promise<FormBrowser>;
  /** Links a daemon with the device flow. */
  link(account: string, name?: string): Promise<LinkedDaemon>;
  /** Begins the code flow. */
  begin(parameters?: Record<string, string>): Promise<{ url: URL; verifier: string; state: string }>;
  /** Goes through the code flow as far as the program's address. Ticks the daemons. */
  consent(browser: FormBrowser, url: URL, daemonIds?: string[]): Promise<URL>;
  /** The whole code flow. */
  tokens(browser: FormBrowser, daemonIds: string[], parameters?: Record<string, string>): Promise<TokenResponse>;
}

export type TokenResponse = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** Starts a proxy with the accounts anna and ben, and a program that is registered with it. */
export async function oauthWorld(
  t: Test,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<OauthWorld> {
  const proxy = await startProxy(t, env, args);
  await Promise.all([proxy.addUser('anna'), proxy.addUser('ben')]);
  const register: OauthWorld['register'] = async (name, { isPublic = false } = {}) => {
    const { client_id: id, client_secret: secret } = await proxy.withStore((store) =>
      createClients({ ...store, now: Date.now }).create({ name, redirectUris: [CALLBACK], isPublic }),
    );
    return { id, ...(secret !== undefined && { secret }) };
  };
  const { id, secret } = await register('Bot');
  const discover = (clientId: string, authentication: client.ClientAuth) =>
    client.discovery(new URL(proxy.url), clientId, undefined, authentication, {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    });
  const program = await discover(id, client.ClientSecretBasic(secret));

  const world: OauthWorld = {
    proxy,
    program,
    register,
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    async browser(name) {
      const browser = new FormBrowser(proxy.url);
      await browser.submit(await browser.open('/account'), '/sign-in', { name, password: PASSWORD });
      return browser;
    },
    async link(account, name = 'Attic') {
      const linking = await discover('gamekeeper-daemon', client.None());
      const started = await client.initiateDeviceAuthorization(linking, { scope: 'daemon:link' });
      await proxy.withStore(async (store) => {
        const on = await createProxy({ ...store, issuer: proxy.url, linksOf: noLinks, now: Date.now });
        await approveDevice(on, started.user_code, (await on.accounts.findByName(account))!);
      });
      const { access_token: token } = await client.pollDeviceAuthorizationGrant(linking, { ...started, interval: 0.1 });
      return registerDaemon(proxy.url, token, name);
    },
    async begin(parameters = {}) {
      const verifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const url = client.buildAuthorizationUrl(program, {
        redirect_uri: CALLBACK,
        scope: ALL_SCOPES,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        ...parameters,
      });
      return { url, verifier, state };
    },
    async consent(browser, url, daemonIds = []) {
      return leaving(async () => {
        const page = await browser.open(url);
        return browser.submit(page, '/consent', { daemon: daemonIds, decision: 'allow' });
      });
    },
    async tokens(browser, daemonIds, parameters) {
      const { url, verifier, state } = await world.begin(parameters);
      const callback = await world.consent(browser, url, daemonIds);
      return client.authorizationCodeGrant(program, callback, { pkceCodeVerifier: verifier, expectedState: state });
    },
  };
  return world;
}

/** Resolves to the address of a program that a page flow ends at. Throws if it stays at the proxy. */
export async function leaving(flow: () => Promise<Page>): Promise<URL> {
  try {
    const { status, text } = await flow();
    throw new Error(`The browser stayed at the proxy, with status ${status}:\n${text}`);
  } catch (error) {
    if (error instanceof LeftSite) return error.url;
    throw error;
  }
}

/** Registers a daemon with a new key, as `gamekeeper link` does. */
async function registerDaemon(issuer: string, accessToken: string, name: string): Promise<LinkedDaemon> {
  const key = await createDaemonKey();
  const { daemonId, publicKey } = key;
  const proof = await linkToken(key, issuer);
  const response = await fetch(`${issuer}/api/daemons`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ daemonId, name, publicKey, scopes: ALL_SCOPES.split(' '), proof }),
  });
  if (response.status !== 201) throw new Error(`Not registered: ${response.status} ${await response.text()}`);
  const { resource } = (await response.json()) as { resource: string };
  return { daemonId, resource, token: (claims) => linkToken(key, issuer, claims && { claims }) };
}
