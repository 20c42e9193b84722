import type { Scope } from '../../shared/domain/access/scope.ts';
import type { Access } from '../http/operation.ts';
import type { JsonSchema } from './json-schema.ts';

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'servers:read': 'Read instances, metrics and health statuses',
  'servers:write': 'Start, stop and configure instances',
  'backups:create': 'Trigger and manage local and cloud backups',
  'logs:read': 'Read sanitized console logs',
  'tunnels:manage': 'Configure tunnels',
};

/** The three kinds of credentials: docs/api.md, Credentials. */
export const SECURITY_SCHEMES: JsonSchema = {
  CookieAuth: {
    type: 'apiKey',
    in: 'cookie',
    name: 'RemoteCookies',
    description: "Set by POST /api/login. Requests that change something also need the daemon's own Origin.",
  },
  BearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Token of this daemon, HMAC-SHA256: `gamekeeper token create`, or POST /api/tokens.',
  },
  OAuth2: {
    type: 'oauth2',
    description: "Access tokens of the hosted proxy that the daemon is paired with. The URLs are the proxy's.",
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://proxy.invalid/oauth/authorize',
        tokenUrl: 'https://proxy.invalid/oauth/token',
        scopes: SCOPE_MEANINGS,
      },
    },
  },
};

/** Returns the alternative credentials for an operation; empty if it needs none. */
export function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'session') return [{ CookieAuth: [] }];
  const credentials = [{ CookieAuth: [] }, { BearerAuth: [] }, { OAuth2: [access.scope] }];
  return access.openOnLoopback ? [{}, ...credentials] : credentials;
}
