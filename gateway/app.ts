import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import { fastify } from 'fastify';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import { DEFAULT_PANEL_PORT } from '../shared/schema/settings.ts';
import { recordChanges } from './audit/record-changes.ts';
import { checkRoutes } from './auth/check-routes.ts';
import { installGate } from './auth/gate.ts';
import { closeSocket } from './console/open-sockets.ts';
import { registerConsoleSocket } from './console/websocket.ts';
import type { Gateway } from './gateway.ts';
import { collectMethods, refuseUnrouted } from './http/allowed-methods.ts';
import { limitConnections } from './http/connection-limit.ts';
import { acceptJson } from './http/json-body.ts';
import { createOwnAddress, createProxyAddress, type OwnAddress } from './http/own-address.ts';
import { type ProblemOptions, sendProblem } from './http/problem.ts';
import { clientError, refuseOnSocket } from './http/refusal.ts';
import { pathOf, requestId } from './http/request.ts';
import { createHttpServer, type TlsMaterial } from './http/server.ts';
import { closeStalled } from './http/stalled-readers.ts';
import { type Api, ZOD_INSTEAD_OF_AJV, type ZodProvider } from './http/zod-provider.ts';
import { createHealthShortcut } from './listeners/health-shortcut.ts';
import type { Family } from './listeners/listener-plan.ts';
import { collectOperations } from './openapi/document.ts';
import { registerPages, registerPanel } from './openapi/pages.ts';
import type { OpenApiDocument } from './openapi/types.ts';
import { resourceRoutes, sessionResourceRoutes, sessionRoutes } from './rest/routes.ts';
import { serviceRoutes } from './rest/service-routes.ts';
import { linkedSessionRoute } from './rest/session/linked-session.ts';
import { limitWork } from './work/limit-work.ts';

/** RFC 6455, section 7.4.1: an unexpected condition. */
const INTERNAL_ERROR = 1011;
const VERSIONED_PREFIX = '/api/v1';
const SESSION_PREFIX = '/api';
const MAX_BODY_BYTES = 1024 * 1024;
/** As long as a whole request line may be, so that an id of any length is 404 like every unknown id. */
const MAX_SEGMENT_LENGTH = 16 * 1024;
/** Commands are far shorter and are not sent in pieces. No compression: a small frame must not inflate to a large one. */
const SOCKET_MESSAGES = { maxPayload: 16 * 1024, maxFragments: 16, maxBufferedChunks: 256, perMessageDeflate: false };

export interface AppOptions {
  gateway: Gateway;
  families: readonly Family[];
  /** True on the private socket: every request is the local administrator's. */
  local: boolean;
  /** True if only this machine can reach the listener. */
  loopback: boolean;
  /** For requests over the link to the hosted proxy, which comes with no listener: the proxy's host. */
  proxyHost?: () => string | undefined;
  tls?: TlsMaterial | undefined;
}

interface AppContext extends AppOptions {
  app: Api;
  ownAddress: OwnAddress;
  problems: ProblemOptions;
  describe: () => OpenApiDocument;
}

type Refuse = (socket: Duplex, error: GamekeeperError, request?: IncomingMessage) => void;

/** Builds what one listener serves. It does not listen: tests inject requests, `listeners/` binds. */
export async function buildApp(options: AppOptions): Promise<Api> {
  const { gateway, families, tls, proxyHost } = options;
  const problems: ProblemOptions = {
    docsBase: () =>
      gateway.addresses.panel ?? `http://127.0.0.1:${gateway.settings.remoteControl.panelPort || DEFAULT_PANEL_PORT}`,
    report: (error, id) => gateway.log.error({ err: error, requestId: id }, 'a request failed'),
  };
  const refuse: Refuse = (socket, error, request) =>
    refuseOnSocket(socket, error, {
      docsBase: problems.docsBase(),
      requestId: requestId(request ?? { headers: {} }),
    });
  const ownAddress = proxyHost
    ? createProxyAddress(proxyHost)
    : createOwnAddress({
        allowed: () => gateway.settings.remoteControl,
        ports: () => portsOf(gateway),
        tls: tls !== undefined,
      });
  const healthPaths = [
    ...(families.includes('daemon') ? ['/health'] : []),
    ...(families.includes('versioned') ? [`${VERSIONED_PREFIX}/health`] : []),
  ];
  const shortcut = createHealthShortcut({ gateway, ownAddress, paths: healthPaths });
  const app: Api = fastify<Server, IncomingMessage, ServerResponse>({
    serverFactory: (handler) =>
      createHttpServer((request, response) => void (shortcut(request, response) || handler(request, response)), {
        tls,
      }),
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    // The gate returns this error, with our own body.
    return503OnClosing: false,
    schemaController: ZOD_INSTEAD_OF_AJV,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, problems),
    clientErrorHandler(error, socket) {
      if (error.code !== 'ECONNRESET' && !socket.destroyed) refuse(socket, clientError(error.code));
    },
  }).withTypeProvider<ZodProvider>();

  acceptJson(app);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, problems));
  checkRoutes(app);
  const methods = collectMethods(app);
  const describe = collectOperations(app);
  const context: AppContext = { ...options, app, ownAddress, problems, describe };
  await app.register(cookie, { hook: false });
  await acceptWebSockets(context, refuse);
  guardConnections(context, refuse);
  installGate(app, {
    credentials: gateway.credentials,
    rateLimit: gateway.rateLimit,
    listener: { ownAddress, local: options.local, loopback: options.loopback, linked: proxyHost !== undefined },
    isClosing: () => gateway.closing,
    now: gateway.now,
  });
  refuseUnrouted(app, methods);
  limitWork(app, gateway.workPlaces);
  logRequests(app, gateway);
  recordChanges(app, gateway);
  await registerRoutes(context);
  return app;
}

async function acceptWebSockets({ app, gateway: { log } }: AppContext, refuse: Refuse): Promise<void> {
  await app.register(websocket, {
    options: SOCKET_MESSAGES,
    errorHandler: (error, socket) => {
      log.debug({ err: error }, 'a console socket failed');
      // The socket is already closing, with the code of the error: this gives the other end a moment to read it.
      void closeSocket(socket, { code: INTERNAL_ERROR, reason: '' });
    },
  });
  app.websocketServer.on('headers', (headers, request) => void headers.push(`x-request-id: ${requestId(request)}`));
  app.websocketServer.on('wsClientError', (error, socket, request) =>
    refuse(socket, new GamekeeperError('invalid_request', `${error.message}.`), request),
  );
}

function guardConnections({ app, gateway, local }: AppContext, refuse: Refuse): void {
  if (!local) limitConnections(app.server, () => gateway.settings.limits.connections);
  if (!local) closeStalled(app.server);
  app.server.on('connect', (request, socket) =>
    refuse(socket, new GamekeeperError('invalid_request', 'CONNECT is not supported: this is not a proxy.'), request),
  );
}

/** Counts and logs every response; reads are logged only at level `debug`. */
function logRequests(app: Api, { metrics, log }: Gateway): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched' } = request.routeOptions;
    const { method } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.observeRequest({ method, route, status }, elapsedTime / 1000);
    const changes = method !== 'GET' && method !== 'HEAD';
    if (changes || log.isLevelEnabled('debug')) {
      const line = { requestId: request.id, method, path: pathOf(request), status, ms: Math.round(elapsedTime) };
      if (changes) log.info(line, 'request');
      else log.debug(line, 'request');
    }
    done();
  });
}

async function registerRoutes({
  app,
  gateway,
  families,
  tls,
  problems,
  describe,
  proxyHost,
}: AppContext): Promise<void> {
  const { services, credentials, now } = gateway;
  serviceRoutes(app, { metrics: gateway.metrics, describe });
  if (families.includes('daemon')) resourceRoutes(app, services, { credentials, now });
  if (families.includes('versioned'))
    await app.register(async (versioned) => resourceRoutes(versioned as Api, services, { credentials, now }), {
      prefix: VERSIONED_PREFIX,
    });
  if (families.includes('session') || proxyHost) registerConsoleSocket(app, gateway);
  if (proxyHost) {
    linkedSessionRoute(app, services);
    await registerPanel(app, gateway.panelFolder);
  }
  if (!families.includes('session')) return;
  sessionRoutes(app, services, { secure: tls !== undefined, now });
  await app.register(async (session) => sessionResourceRoutes(session as Api, services), { prefix: SESSION_PREFIX });
  await registerPages(app, { describe, panelFolder: gateway.panelFolder, base: problems.docsBase });
}

function portsOf({ addresses }: Gateway): number[] {
  return [addresses.panel, addresses.remote].flatMap((url) => {
    if (url === null) return [];
    const { port, protocol } = new URL(url);
    return [Number(port || (protocol === 'https:' ? 443 : 80))];
  });
}
