import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { LiveKeys } from './keys/live-keys.ts';
import { createProvider, type ProviderOptions } from './provider.ts';

/**
 * The OAuth 2.0 server. oidc-provider takes its keys when it is made, so another one takes its place when they change. It keeps everything in the
 * database; requests under way end with the one that they began with.
 */
export interface OauthServer {
  /** Ask for it each time. */
  readonly provider: Provider;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Calls `listener` with the present provider, and with each that takes its place. */
  onProvider(listener: (provider: Provider) => void): void;
}

export interface OauthServerOptions extends Omit<ProviderOptions, 'keys'> {
  keys: LiveKeys;
}

/** `accountOf`: see createProvider. */
export function createOauthServer(
  { keys, ...options }: OauthServerOptions,
  accountOf: (ctx: KoaContextWithOIDC) => Promise<string | undefined>,
): OauthServer {
  const make = () => {
    const provider = createProvider({ ...options, keys: keys.ring }, accountOf);
    return { provider, handle: provider.callback() };
  };
  const listeners: ((provider: Provider) => void)[] = [];
  let current = make();
  keys.onChange(() => {
    const next = make();
    for (const listener of listeners) listener(next.provider);
    current = next;
  });
  return {
    get provider() {
      return current.provider;
    },
    handle: (request, response) => void current.handle(request, response),
    onProvider(listener) {
      listeners.push(listener);
      listener(current.provider);
    },
  };
}
