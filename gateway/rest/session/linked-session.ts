import { EVERY_INSTANCE } from '../../../shared/domain/access/grant.ts';
import { lanAddresses } from '../../../shared/node/lan-addresses.ts';
import { sessionInfo } from '../../../shared/schema/credentials.ts';
import type { Identity } from '../../auth/identity.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

/** Who uses the panel through the hosted proxy (docs/decisions/0018). They have no user of this daemon. */
export function linkedSessionRoute(app: Api, { link }: Services): void {
  app.get(
    '/api/session',
    {
      schema: { response: { 200: sessionInfo } },
      config: {
        operation: {
          id: 'getSession',
          summary: 'Get who uses the panel through the hosted proxy',
          tag: 'Sign-in',
          access: needs('servers:read'),
        },
      },
    },
    async ({ identity }) => {
      const { proxy } = await link.read();
      const { expiresAt, username, oauth } = identity!;
      return {
        username: proxy?.account ?? username,
        role: roleOf(identity!),
        expiresAt: new Date(expiresAt).toISOString(),
        mustChangePassword: false,
        instances: [EVERY_INSTANCE],
        totp: false,
        recoveryCodes: 0,
        lanAddresses: lanAddresses(),
        proxy: oauth?.issuer ?? proxy?.issuer,
      };
    },
  );
}

/** What the panel should offer. The scopes are what counts. */
function roleOf({ scopes }: Identity): 'admin' | 'viewer' {
  return scopes.has('servers:write') ? 'admin' : 'viewer';
}
