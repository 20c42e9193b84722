import type { ServerMetadata } from 'openid-client';

/** A provider without OpenID Connect, as its documentation describes it. */
export interface WrittenProvider {
  metadata: ServerMetadata;
  scope: string;
  /** Returns who somebody is, with their access token. */
  userUrl: string;
  userOf(body: unknown): ProvenIdentity | undefined;
}

/** Somebody as a provider knows them. */
export interface ProvenIdentity {
  /** Never changes, and never belongs to anybody else. Names and mail addresses may. */
  subject: string;
  /** For people. */
  label: string;
}

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps and https://docs.github.com/en/rest/users/users. */
export function github({ web = 'https://github.com', api = 'https://api.github.com' } = {}): WrittenProvider {
  return {
    metadata: {
      issuer: `${web}/login/oauth`,
      authorization_endpoint: `${web}/login/oauth/authorize`,
      token_endpoint: `${web}/login/oauth/access_token`,
    },
    // None is needed for what is public.
    scope: '',
    userUrl: `${api}/user`,
    userOf(body) {
      const { id, login } = (body ?? {}) as { id?: unknown; login?: unknown };
      if (!Number.isSafeInteger(id) || typeof login !== 'string') return undefined;
      return { subject: String(id), label: login };
    },
  };
}

/** https://docs.discord.com/developers/topics/oauth2 and https://docs.discord.com/developers/resources/user. */
export function discord({ base = 'https://discord.com' } = {}): WrittenProvider {
  return {
    metadata: {
      issuer: base,
      authorization_endpoint: `${base}/oauth2/authorize`,
      token_endpoint: `${base}/api/oauth2/token`,
    },
    scope: 'identify',
    userUrl: `${base}/api/v10/users/@me`,
    userOf(body) {
      const { id, username, bot } = (body ?? {}) as { id?: unknown; username?: unknown; bot?: unknown };
      if (typeof id !== 'string' || !/^\d{1,20}$/.test(id) || typeof username !== 'string' || bot === true)
        return undefined;
      return { subject: id, label: username };
    },
  };
}
