import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import { createPending, type PendingOptions } from '../pending.ts';
import { createSessionCookie } from '../sessions/session-cookie.ts';
import type { Identity } from './identities.ts';
import type { IdentityProvider, ProviderChecks } from './providers.ts';

const BYTES = 32;
const RETRY_AFTER_SECONDS = 10;

/** What somebody wants from a provider. */
export type ProviderPurpose =
  /** To sign in, and go on to an interaction of OAuth or to a panel; or to make an account with an invitation. */
  | { kind: 'sign-in'; interaction?: string; panel?: string; invitation?: string }
  /** To connect it with the account that they are signed in to, or to prove that it is them. */
  | { kind: 'connect' | 'confirm'; sessionId: string; to: string };

interface Begun {
  provider: string;
  verifier: string;
  nonce: string;
  /** A hash of the cookie: the answer must come from the browser that asked (RFC 9700, section 4.7). */
  browser: string;
  purpose: ProviderPurpose;
}

/** Sends browsers to providers, and checks what they come back with. */
export interface ProviderFlow {
  begin(
    provider: IdentityProvider,
    purpose: ProviderPurpose,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>;
  /** Resolves to who it is; to a problem if they refused or the provider does not confirm it; to `undefined` if this was not begun here. */
  finish(
    provider: IdentityProvider,
    request: FastifyRequest,
  ): Promise<{ purpose: ProviderPurpose; identity: Identity } | { problem: 'refused' | 'failed' } | undefined>;
}

export interface ProviderFlowOptions extends PendingOptions {
  issuer: string;
  log: Logger;
}

export function createProviderFlow({ issuer, log, ...options }: ProviderFlowOptions): ProviderFlow {
  const pending = createPending<Begun>('provider', options);
  const cookie = createSessionCookie(issuer, 'gamekeeper-provider');
  const hashOf = (value: string) => options.vault.nameOf(`browser ${value}`);

  async function begin(provider: IdentityProvider, checks: ProviderChecks, again: boolean): Promise<URL> {
    try {
      return await provider.begin(checks, again);
    } catch (cause) {
      log.warn({ err: cause, provider: provider.id }, 'a provider could not be reached');
      throw new GamekeeperError('proxy_unavailable', `${provider.name} cannot be reached at the moment.`, {
        resolution: 'Try again in a moment, or sign in another way.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause,
      });
    }
  }

  return {
    async begin(provider, purpose, request, reply) {
      const value = cookie.read(request.headers) ?? randomBytes(BYTES).toString('base64url');
      const nonce = randomBytes(BYTES).toString('base64url');
      const verifier = await provider.newVerifier();
      const begun = { provider: provider.id, verifier, nonce, browser: hashOf(value), purpose };
      const state = await pending.begin(begun);
      const url = await begin(provider, { verifier, nonce, state }, purpose.kind === 'confirm');
      cookie.set(reply, value);
      return reply.redirect(url.href, 303);
    },
    async finish(provider, request) {
      const callback = new URL(request.url, issuer);
      const state = callback.searchParams.get('state') ?? '';
      const begun = await pending.take(state);
      const value = cookie.read(request.headers);
      if (!begun || begun.provider !== provider.id || value === undefined || !isEqual(begun.browser, hashOf(value)))
        return undefined;
      if (callback.searchParams.get('error') === 'access_denied') return { problem: 'refused' };
      try {
        const { verifier, nonce, purpose } = begun;
        const { subject, label } = await provider.finish(callback, { verifier, nonce, state });
        return { purpose, identity: { issuer: provider.issuer, subject, label } };
      } catch (error) {
        log.warn({ err: error, provider: provider.id }, 'a provider did not confirm who somebody is');
        return { problem: 'failed' };
      }
    },
  };
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
