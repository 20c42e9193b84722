import { rightsOf } from '../../../shared/domain/access/rights.ts';
import type { CredentialStore, LiveSession, SessionRecord, VerifiedUser } from '../../upstream/credential-store.ts';
import { type Identity, sessionCredential } from '../identity.ts';
import { createFreshAnswers } from './fresh-answers.ts';
import { hashCookieValue, isSigned, newCookieValue } from './session-cookie.ts';

const SLIDING_MS = 12 * 3_600_000;
const ABSOLUTE_MS = 7 * 24 * 3_600_000;
/** The expiry moves at most this often, so that not every request writes to the database. */
const SLIDE_EVERY_MS = 60_000;
/** How many sessions are cached. Others cost a call to the daemon. */
const MOST_REMEMBERED = 1_000;

export interface Sessions {
  /** Returns a session that the daemon does not know yet. */
  prepare(username: string, now: number): Promise<NewSession>;
  /** Starts a session, unless the user is no longer as verified (`unauthenticated`). */
  open(user: VerifiedUser, now: number): Promise<NewSession>;
  /**
   * Returns the cookie's identity, without a promise if it is cached, and extends the session. `beforeAsking` runs before a call to the
   * daemon, and can prevent it by throwing. It gets the credential of a cookie that is signed; others may be invented.
   */
  find(
    value: string,
    now: number,
    options?: { beforeAsking?: (credential: string | undefined) => void },
  ): Identity | undefined | Promise<Identity | undefined>;
  current(tokenHash: string, now: number): Promise<Identity | undefined>;
  end(value: string): Promise<void>;
  forget(affects: (identity: Identity) => boolean): void;
}

export interface NewSession {
  /** For the cookie; it is stored nowhere else. */
  value: string;
  record: SessionRecord;
}

interface Remembered {
  session: LiveSession;
  identity: Identity;
}

export function createSessions(store: CredentialStore, onError: (error: unknown) => void): Sessions {
  const remembered = new Map<string, Remembered>();
  const fresh = createFreshAnswers();

  function use(entry: Remembered, now: number): Identity | undefined {
    const { session, identity } = entry;
    if (identity.expiresAt <= now) {
      remembered.delete(session.tokenHash);
      return undefined;
    }
    const slid = Math.min(now + SLIDING_MS, Date.parse(session.absoluteExpiresAt));
    // It moves back as well if the clock was set back.
    if (Math.abs(slid - identity.expiresAt) < SLIDE_EVERY_MS) return identity;
    const expiresAt = new Date(slid).toISOString();
    store.extendSession({ tokenHash: session.tokenHash, expiresAt }).catch(onError);
    return remember({ ...session, expiresAt });
  }

  function remember(session: LiveSession): Identity {
    const identity = toIdentity(session);
    remembered.delete(session.tokenHash);
    remembered.set(session.tokenHash, { session, identity });
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest!);
    return identity;
  }

  function ask(tokenHash: string, now: number): Promise<Identity | undefined> {
    return fresh.ask(
      () => store.session(tokenHash),
      (session) => (session ? use({ session, identity: remember(session) }, now) : undefined),
    );
  }

  async function prepare(username: string, now: number): Promise<NewSession> {
    const value = newCookieValue((await store.issuer()).key);
    const expiresAt = new Date(now + SLIDING_MS).toISOString();
    const absoluteExpiresAt = new Date(now + ABSOLUTE_MS).toISOString();
    return { value, record: { tokenHash: hashCookieValue(value), username, expiresAt, absoluteExpiresAt } };
  }

  return {
    prepare,
    async open(user, now) {
      const session = await prepare(user.username, now);
      await store.addSession(session.record, user);
      return session;
    },
    find(value, now, { beforeAsking } = {}) {
      const tokenHash = hashCookieValue(value);
      const known = remembered.get(tokenHash);
      if (known) return use(known, now);
      return store.issuer().then(({ key }) => {
        beforeAsking?.(isSigned(value, key) ? sessionCredential(tokenHash) : undefined);
        return ask(tokenHash, now);
      });
    },
    current: ask,
    async end(value) {
      const tokenHash = hashCookieValue(value);
      remembered.delete(tokenHash);
      await store.endSession(tokenHash);
    },
    forget(affects) {
      fresh.changed();
      for (const [tokenHash, { identity }] of remembered) if (affects(identity)) remembered.delete(tokenHash);
    },
  };
}

function toIdentity(session: LiveSession): Identity {
  const { tokenHash, username, role, expiresAt, mustChangePassword, version } = session;
  return {
    kind: 'session',
    name: username,
    username,
    ...rightsOf(session),
    unrestricted: role === 'admin',
    credential: sessionCredential(tokenHash),
    expiresAt: Date.parse(expiresAt),
    mustChangePassword,
    version,
  };
}
