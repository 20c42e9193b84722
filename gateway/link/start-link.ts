import type { LinkStatus } from '../../shared/schema/link.ts';
import type { Gateway } from '../gateway.ts';
import { createLink, type LinkCredentials, type LinkTiming } from './link.ts';
import { createLinkedApp, type LinkedApp } from './linked-app.ts';

export interface GatewayLink {
  readonly status: LinkStatus;
  close(): Promise<void>;
}

/** Tells the daemon about grants of the proxy. Neither rejects. */
export interface GrantReports {
  endGrant(grantId: string): Promise<void>;
  askAboutGrants(grantIds: string[]): Promise<void>;
}

/** Links a gateway to the proxy that the daemon is paired with, now or later. */
export function startLink(
  gateway: Gateway,
  credentials: LinkCredentials & GrantReports,
  timing?: LinkTiming,
): GatewayLink {
  // Most gateways are not linked, and start faster without it.
  let app: Promise<LinkedApp> | undefined;
  const link = createLink({
    credentials,
    serve(connection, target) {
      app ??= createLinkedApp(gateway);
      app.then(
        (linked) => linked.serve(connection, target),
        (error: unknown) => {
          gateway.log.error({ err: error }, 'a request of the proxy could not be served');
          connection.destroy();
        },
      );
    },
    onTokenNotice(notice) {
      if (notice.type !== 'grant-revoked') return gateway.credentials.oauth.expireKeys();
      gateway.credentials.revokeGrant(notice.grantId);
      void credentials.endGrant(notice.grantId);
    },
    onAnswer: () => void credentials.askAboutGrants(gateway.credentials.oauth.grants()),
    telemetry: gateway.telemetry,
    log: gateway.log,
    ...(timing && { timing }),
  });
  return {
    get status() {
      return link.status;
    },
    async close() {
      link.close();
      await (await app)?.close();
    },
  };
}
