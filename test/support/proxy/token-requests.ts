import type { FormBrowser } from './form-browser.ts';
import { CALLBACK, type OauthWorld } from './oauth-world.ts';

export interface TokenAnswer {
  error?: string;
  access_token?: string;
  refresh_token?: string;
}

export interface TokenRequestOptions {
  /** Of a program; by default that of the world. */
  authorization?: string;
  /** Of a replica; by default the issuer. */
  address?: string;
}

/** Sends a token request without any library. */
export async function askForTokens(
  world: OauthWorld,
  parameters: Record<string, string>,
  { authorization = world.authorization, address = world.proxy.url }: TokenRequestOptions = {},
): Promise<TokenAnswer> {
  const response = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(parameters),
  });
  return (await response.json()) as TokenAnswer;
}

/** The same, but resolves to its error or 'ok'. */
export async function redeem(
  world: OauthWorld,
  parameters: Record<string, string>,
  options?: TokenRequestOptions,
): Promise<string> {
  const { error = 'ok' } = await askForTokens(world, parameters, options);
  return error;
}

/** Goes through the code flow. Resolves to the request that redeems the code. */
export async function codeRequest(world: OauthWorld, browser: FormBrowser, daemonId: string) {
  const { url, verifier } = await world.begin();
  const callback = await world.consent(browser, url, [daemonId]);
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  };
}

export function refreshRequest(refreshToken = '', parameters: Record<string, string> = {}) {
  return { grant_type: 'refresh_token', refresh_token: refreshToken, ...parameters };
}
