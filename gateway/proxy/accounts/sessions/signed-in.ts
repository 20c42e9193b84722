import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account, Accounts } from '../accounts.ts';
import type { Audit } from '../audit.ts';
import type { KnownBrowser, KnownBrowsers } from '../sign-in/known-browser.ts';
import { type SessionCookie, signedInFrom } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.ts';

export interface SignedInUser {
  account: Account;
  session: Session;
}

/** Who uses a browser. */
export interface Browser {
  /** Resolves to `undefined` if the browser is not signed in. */
  userOf(headers: { cookie?: string | undefined }): Promise<SignedInUser | undefined>;
  /** Begins a session, and ends the one that the browser had. Resolves to false if the account is no longer as it was checked. */
  signIn(account: Account, request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export interface BrowserOptions {
  accounts: Accounts;
  sessions: Sessions;
  audit: Audit;
  cookie: SessionCookie;
  known: KnownBrowsers;
}

export function createBrowser({ accounts, sessions, audit, cookie, known }: BrowserOptions): Browser {
  async function sessionOf(headers: { cookie?: string | undefined }): Promise<Session | undefined> {
    const value = cookie.read(headers);
    return value === undefined ? undefined : sessions.find(value);
  }

  async function endSession({ headers }: FastifyRequest): Promise<void> {
    const session = await sessionOf(headers);
    if (session) await sessions.end(session.id, session.accountId);
  }

  return {
    async userOf(headers) {
      const session = await sessionOf(headers);
      const account = session && (await accounts.find(session.accountId));
      return account && { account, session };
    },
    async signIn(account, request, reply) {
      const value = await sessions.begin({ account, ...signedInFrom(request) });
      if (value === undefined) return false;
      await endSession(request);
      await audit.record({ account, action: 'session.begun', address: request.ip });
      cookie.set(reply, value);
      known.remember(account.id, request, reply);
      return true;
    },
    async signOut(request, reply) {
      await endSession(request);
      cookie.clear(reply);
    },
  };
}

/** Returns the browser of a user who is signed in, whose attempts to enter the password are counted apart. */
export function browserOf({ account, session }: SignedInUser): KnownBrowser {
  return { id: session.id, accounts: [account.id] };
}

/** For pages of an account: calls `show` with the user, or sends the browser to the sign-in page. */
export function forUser(
  browser: Browser,
  show: (user: SignedInUser, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const user = await browser.userOf(request.headers);
    return user ? show(user, request, reply) : reply.redirect('/sign-in', 303);
  };
}
