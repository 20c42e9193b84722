import { SCOPES } from '../../../shared/domain/access/scope.ts';
import type { LiveKeys } from '../oauth/keys/live-keys.ts';
import { signAccessToken } from '../oauth/tokens/sign-access-token.ts';
import type { PanelSession } from './panel-sessions.ts';

/** What the daemon shows as the client. */
const CLIENT = 'gamekeeper-panel';
const LIFETIME_S = 10 * 60;
/** A token that is used for longer than one request lives as long as the session: the proxy closes what it opened when that ends. */
const RENEWED_BEFORE_S = 5 * 60;
const MOST_REMEMBERED = 5_000;

/** The access tokens with which panels are used. They go to the daemon only, never to the browser. */
export interface PanelTokens {
  /** `lasts`: for a connection that stays open. */
  of(session: PanelSession, daemonId: string, options: { lasts: boolean }): Promise<string>;
}

export interface PanelTokensOptions {
  keys: LiveKeys;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

/** The daemon cuts the scopes to its ceiling, and its own rules apply to programs: nothing for signed-in users. */
export function createPanelTokens({ keys, issuer, now }: PanelTokensOptions): PanelTokens {
  const remembered = new Map<string, { token: Promise<string>; until: number }>();
  keys.onChange(() => remembered.clear());

  function sign({ accountId, expiresAt }: PanelSession, daemonId: string, lasts: boolean): Promise<string> {
    const issuedAt = Math.floor(now() / 1000);
    const end = Math.floor(expiresAt.getTime() / 1000);
    return signAccessToken(
      { keys, issuer },
      {
        accountId,
        daemonId,
        client: CLIENT,
        scope: SCOPES.join(' '),
        issuedAt,
        expiresAt: lasts ? end : Math.min(end, issuedAt + LIFETIME_S),
      },
    );
  }

  return {
    async of(session, daemonId, { lasts }) {
      if (lasts) return sign(session, daemonId, true);
      const key = `${session.name} ${daemonId}`;
      const known = remembered.get(key);
      if (known && known.until > now()) return known.token;
      const token = sign(session, daemonId, false);
      remembered.delete(key);
      remembered.set(key, { token, until: now() + RENEWED_BEFORE_S * 1000 });
      const [oldest] = remembered.keys();
      if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      return token;
    },
  };
}
