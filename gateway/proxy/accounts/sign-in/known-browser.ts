import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Vault } from '../../store/vault.ts';
import { createSessionCookie } from '../sessions/session-cookie.ts';

const CONTEXT = 'browser that has signed in';
const DAY_S = 24 * 60 * 60;
const REMEMBERED_S = 180 * DAY_S;
/** People who share a browser. */
const MOST_ACCOUNTS = 5;

const remembered = z.object({
  id: z.string(),
  /** Ids, the last one first. */
  accounts: z.array(z.string()),
  /** Seconds since 1970. */
  until: z.number(),
});

/** A browser in which somebody has signed in before. Its attempts are counted apart from those of strangers. */
export interface KnownBrowser {
  id: string;
  /** Whom it is known for. */
  accounts: readonly string[];
}

/**
 * Recognises browsers by a sealed cookie, so that strangers who guess passwords cannot keep the owner of an account out (OWASP, Device Cookies).
 * The server stores nothing.
 */
export interface KnownBrowsers {
  of(headers: { cookie?: string | undefined }): KnownBrowser | undefined;
  /** Call it when an account has signed in. */
  remember(accountId: string, request: FastifyRequest, reply: FastifyReply): void;
}

export function createKnownBrowsers({
  issuer,
  vault,
  now,
}: {
  issuer: string;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}): KnownBrowsers {
  const cookie = createSessionCookie(issuer, 'gamekeeper-browser');
  const nowSeconds = () => Math.floor(now() / 1000);

  function of(headers: { cookie?: string | undefined }): KnownBrowser | undefined {
    try {
      const { data } = remembered.safeParse(JSON.parse(vault.open(cookie.read(headers) ?? '', CONTEXT)));
      return data && data.until > nowSeconds() ? data : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    of,
    remember(accountId, { headers }, reply) {
      const { id = randomUUID(), accounts = [] } = of(headers) ?? {};
      const known = [accountId, ...accounts.filter((one) => one !== accountId)].slice(0, MOST_ACCOUNTS);
      const value = { id, accounts: known, until: nowSeconds() + REMEMBERED_S };
      cookie.set(reply, vault.seal(JSON.stringify(value), CONTEXT), { seconds: REMEMBERED_S });
    },
  };
}
