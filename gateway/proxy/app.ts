import type { RequestListener, Server } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from '../../shared/node/logger.ts';
import { clientError, refuseOnSocket } from '../http/refusal.ts';
import { requestId } from '../http/request.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import { administrationRoutes } from './accounts/administration/administration-routes.ts';
import { createChangePassword } from './accounts/change-password.ts';
import { invitationRoutes } from './accounts/invitations/invitation-routes.ts';
import { invitingRoutes } from './accounts/invitations/inviting-routes.ts';
import { ownAccountRoutes } from './accounts/own-account-routes.ts';
import { passkeyScripts } from './accounts/passkeys/browser-scripts.ts';
import { passkeyRoutes } from './accounts/passkeys/passkey-routes.ts';
import { programRoutes } from './accounts/programs/program-routes.ts';
import type { SignUpPolicy } from './accounts/providers/provider-config.ts';
import { createProviderFlow } from './accounts/providers/provider-flow.ts';
import { providerRoutes } from './accounts/providers/provider-routes.ts';
import { secondFactorRoutes } from './accounts/second-factors/second-factor-routes.ts';
import { confirmationRoutes } from './accounts/sign-in/confirmation-routes.ts';
import { signInRoutes } from './accounts/sign-in/sign-in-routes.ts';
import { createRemoveDaemon, type RemoveDaemon } from './daemons/remove-daemon.ts';
import { daemonRoutes } from './daemons/routes.ts';
import type { EdgeServer } from './edge/edge.ts';
import { pingRoutes } from './edge/outside-pings/ping-routes.ts';
import { tunnelRoutes } from './edge/tunnel-routes.ts';
import type { Alerts } from './fleet/alerts/alerts.ts';
import { fleetRoutes } from './fleet/fleet-routes.ts';
import { alertPages } from './fleet/pages/alert-routes.ts';
import { fleetAssets } from './fleet/pages/assets.ts';
import { fleetPages } from './fleet/pages/page-routes.ts';
import { prometheusPages } from './fleet/pages/prometheus-routes.ts';
import { exchangeScrapeTokens } from './fleet/prometheus/exchange.ts';
import type { ClientAddresses } from './http/client-addresses.ts';
import { handleErrors } from './http/error-handler.ts';
import { acceptForms } from './http/forms.ts';
import { type HealthOptions, healthRoutes } from './http/health.ts';
import { limitRequests } from './http/limit-requests.ts';
import { refuseNul } from './http/nul.ts';
import type { ProxyMetrics } from './metrics/proxy-metrics.ts';
import { interactionRoutes } from './oauth/consent/interactions.ts';
import { mountOauth } from './oauth/mount.ts';
import { reportErrors } from './oauth/report-errors.ts';
import { STYLE } from './pages/style.ts';
import { PanelHosts } from './panel/panel-hosts.ts';
import { panelRoutes } from './panel/panel-routes.ts';
import type { ProxyParts } from './proxy.ts';
import { createAccountLimits } from './relay/account-limits.ts';
import type { DaemonStreams } from './relay/daemon-streams.ts';
import { relayRoutes } from './relay/relay-routes.ts';

/** For JSON: a name and a public key. */
const LARGEST_BODY_BYTES = 16 * 1024;
/** The pages change with the version, and nothing else loads them. */
const STYLE_AGE_S = 3600;

type ServedProxy = ProxyParts & { alerts: Alerts };

export interface AppOptions {
  proxy: ServedProxy;
  /** Already listening: the issuer may contain its port. */
  server: Server;
  addresses: ClientAddresses;
  /** Who may make an account. */
  signUp: SignUpPolicy;
  health: HealthOptions;
  streams: DaemonStreams;
  /** Absent: nothing is counted. */
  metrics: ProxyMetrics | undefined;
  /** Accounts may have the proxy connect to addresses of its own network. */
  allowsPrivate: boolean;
  /** Absent unless players connect to this process. */
  edge: EdgeServer | undefined;
  log: Logger;
}

/** Builds what the proxy serves, on a server that listens already. */
export async function buildApp({
  proxy,
  server,
  addresses,
  signUp,
  health,
  streams,
  allowsPrivate,
  metrics,
  edge,
  log,
}: AppOptions): Promise<FastifyInstance> {
  const { issuer, now, panel } = proxy;
  const accounts = createAccountLimits();
  const panelHosts = panel && new PanelHosts({ panel, issuer, streams, accounts, addresses, log });
  const ready = Promise.withResolvers<void>();
  const app: FastifyInstance = fastify({
    serverFactory: (handler) =>
      serveOnce(ready.promise, server, (request, response) => {
        if (!panelHosts?.handle(request, response)) handler(request, response);
      }),
    genReqId: requestId,
    bodyLimit: LARGEST_BODY_BYTES,
    trustProxy: addresses.isTrusted,
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      refuseOnSocket(socket, clientError(error.code), { docsBase: issuer, requestId: requestId({ headers: {} }) });
    },
  });
  metrics?.observe(app);
  handleErrors(app, { issuer, log });
  limitRequests(app, now);
  exchangeScrapeTokens(app, { ...proxy, directory: proxy.daemons });
  healthRoutes(app, health);
  proxy.oauth.onProvider((provider) => reportErrors(provider, log));

  await app.register(async (limited) => {
    refuseNul(limited);
    limited.get('/style.css', (_request, reply) =>
      reply.header('cache-control', `max-age=${STYLE_AGE_S}`).type('text/css; charset=utf-8').send(STYLE),
    );
    // Browsers ask for it with every page.
    limited.get('/favicon.ico', (_request, reply) =>
      reply.header('cache-control', `max-age=${STYLE_AGE_S}`).code(204).send(),
    );
    await passkeyScripts(limited);
    fleetAssets(limited);
    fleetRoutes(limited, proxy);
    await mountOauth(limited, proxy.oauth);
    await limited.register(async (pages) => pagesOf(pages, { proxy, signUp, log }));
    const removeDaemon = removerOf(proxy);
    daemonRoutes(limited, { ...proxy, links: proxy.liveLinks, removeDaemon });
    tunnelRoutes(limited, proxy);
    pingRoutes(limited, { ...proxy, allowsPrivate });
  });
  await app.register(
    relayRoutes({
      issuer,
      links: proxy.links,
      edge,
      streams,
      tokens: proxy.tokens.check,
      addresses,
      accounts,
      panelHosts,
      log,
    }),
  );
  await app.ready();
  ready.resolve();
  return app;
}

/** Serves requests of a server that listens already. Those that come before Fastify is ready wait: they would end the process. */
function serveOnce(ready: Promise<void>, server: Server, serve: RequestListener): Server {
  let isReady = false;
  void ready.then(() => {
    isReady = true;
  });
  return server.on('request', (request, response) => {
    if (isReady) serve(request, response);
    else void ready.then(() => serve(request, response));
  });
}

function removerOf({ daemons, liveLinks }: ProxyParts): RemoveDaemon {
  return createRemoveDaemon({ daemons, links: liveLinks });
}

function pagesOf(pages: FastifyInstance, { proxy, signUp, log }: Pick<AppOptions, 'proxy' | 'signUp' | 'log'>): void {
  acceptForms(pages, proxy.issuer);
  signInRoutes(pages, proxy);
  interactionRoutes(pages, proxy);
  secondFactorRoutes(pages, proxy);
  passkeyRoutes(pages, proxy);
  confirmationRoutes(pages, proxy);
  ownAccountRoutes(pages, proxy);
  programRoutes(pages, proxy);
  invitationRoutes(pages, proxy);
  invitingRoutes(pages, proxy);
  administrationRoutes(pages, proxy);
  providerRoutes(pages, { ...proxy, policy: signUp, flow: createProviderFlow({ ...proxy, log }) });
  fleetPages(pages, proxy);
  alertPages(pages, proxy);
  prometheusPages(pages, proxy);
  panelRoutes(pages, proxy);
  accountRoutes(pages, {
    issuer: proxy.issuer,
    browser: proxy.browser,
    sessions: proxy.sessions,
    access: proxy,
    removeDaemon: removerOf(proxy),
    changePassword: createChangePassword(proxy),
    passkeys: proxy.passkeys,
    secondFactors: proxy.secondFactors,
    audit: proxy.audit,
    panelDomain: proxy.panel?.domain,
    identities: proxy.identities,
    providers: proxy.providers,
  });
}
