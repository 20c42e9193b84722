import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import { fastify } from 'fastify';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import { DEFAULT_PANEL_PORT } from '../shared/schema/settings.ts';
import { recordChanges, typedCommand } from './audit/record-changes.ts';
import { installGate } from './auth/gate.ts';
import { closeSocket } from './console/open-sockets.ts';
import { consoleSocket } from './console/websocket.ts';
import type { Gateway } from './gateway.ts';
import { collectMethods, refuseUnrouted } from './http/allowed-methods.ts';
import { limitConnections } from './http/connection-limit.ts';
import { acceptJson } from './http/json-body.ts';
import { observe } from './http/observe.ts';
import { ownAddress } from './http/own-address.ts';
import { type ProblemOptions, sendProblem } from './http/problem.ts';
import { clientError, refuseOnSocket } from './http/refusal.ts';
import { requestId } from './http/request-id.ts';
import { createHttpServer, type TlsMaterial } from './http/server.ts';
import { type Api, ZOD_INSTEAD_OF_AJV, type ZodProvider } from './http/zod-provider.ts';
import { healthShortcut } from './listeners/health-shortcut.ts';
import type { Family } from './listeners/listener-plan.ts';
import { collectOperations } from './openapi/document.ts';
import { pages } from './openapi/pages.ts';
import { resourceRoutes, resourceRoutesOfPanel } from './rest/resources/resources.ts';
import { panelRoutes } from './rest/session/session.ts';
import { serviceRoutes } from './service-routes.ts';

/** RFC 6455, section 7.4.1; for what has no code of its own. */
const INTERNAL_ERROR = 1011;
const VERSIONED_PREFIX = '/api/v1';
const PANEL_PREFIX = '/api';
const MAX_BODY_BYTES = 1024 * 1024;
/** As long as a whole request line may be: an id that is too long to exist is not found, like any other. */
const MAX_SEGMENT_LENGTH = 16 * 1024;
/**
 * The longest command is far below; a message beyond it, or in more pieces than anybody cuts so little into, closes the socket. No
 * compression: a small frame must not become a large one.
 */
const SOCKET_MESSAGES = { maxPayload: 16 * 1024, maxFragments: 16, maxBufferedChunks: 256, perMessageDeflate: false };

export interface AppOptions {
  gateway: Gateway;
  families: readonly Family[];
  /** True on the private socket: all requests are the local administrator's. */
  local: boolean;
  /** True when only this machine can reach the listener. */
  loopback: boolean;
  tls?: TlsMaterial | undefined;
}

/** Builds what one listener serves. It does not listen: tests inject requests, `listeners.ts` binds. */
export async function buildApp({ gateway, families, local, loopback, tls }: AppOptions): Promise<Api> {
  const { services, credentials, log, now } = gateway;
  const problems: ProblemOptions = {
    docsBase: () =>
      gateway.addresses.panel ?? `http://127.0.0.1:${gateway.settings.remoteControl.panelPort || DEFAULT_PANEL_PORT}`,
    report: (error, id) => log.error({ err: error, requestId: id }, 'a request failed'),
  };
  const refuse = (socket: Duplex, error: GamekeeperError, request?: IncomingMessage) =>
    refuseOnSocket(socket, error, {
      docsBase: problems.docsBase(),
      requestId: requestId(request ?? { headers: {} }),
    });
  const own = ownAddress({
    allowed: () => gateway.settings.remoteControl,
    ports: () => portsOf(gateway),
    tls: tls !== undefined,
  });
  const paths = [
    ...(families.includes('daemon') ? ['/health'] : []),
    ...(families.includes('versioned') ? [`${VERSIONED_PREFIX}/health`] : []),
  ];
  const shortcut = healthShortcut({ gateway, ownAddress: own, paths });
  const app: Api = fastify<Server, IncomingMessage, ServerResponse>({
    serverFactory: (handler) =>
      createHttpServer((request, response) => void (shortcut(request, response) || handler(request, response)), tls),
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    // Our own gate says it, with our own body.
    return503OnClosing: false,
    schemaController: ZOD_INSTEAD_OF_AJV,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, problems),
    clientErrorHandler(error, socket) {
      if (error.code !== 'ECONNRESET' && !socket.destroyed) refuse(socket, clientError(error.code));
    },
  }).withTypeProvider<ZodProvider>();

  acceptJson(app);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, problems));
  const methods = collectMethods(app);
  const describe = collectOperations(app);
  await app.register(cookie, { hook: false });
  await app.register(websocket, {
    options: SOCKET_MESSAGES,
    errorHandler: (error, socket) => {
      log.debug({ err: error }, 'a console socket failed');
      // It is closing already, with the code of what was wrong; the other end gets a moment to read that.
      void closeSocket(socket, { code: INTERNAL_ERROR, reason: '' });
    },
  });
  app.websocketServer.on('headers', (headers, request) => void headers.push(`x-request-id: ${requestId(request)}`));
  app.websocketServer.on('wsClientError', (error, socket, request) =>
    refuse(socket, new GamekeeperError('invalid_request', `${error.message}.`), request),
  );
  if (!local) limitConnections(app.server, () => gateway.settings.limits.connections);
  app.server.on('connect', (request, socket) =>
    refuse(socket, new GamekeeperError('invalid_request', 'CONNECT is for proxies; this is none.'), request),
  );

  installGate(app, {
    credentials,
    ownAddress: own,
    rateLimit: gateway.limit,
    local,
    loopback,
    isClosing: () => gateway.closing,
    now,
  });
  refuseUnrouted(app, methods);
  observe(app, gateway);
  recordChanges(app, gateway);

  serviceRoutes(app, { metrics: gateway.metrics, describe });
  if (families.includes('daemon')) resourceRoutes(app, services, { credentials, now });
  if (families.includes('versioned'))
    await app.register(async (versioned) => resourceRoutes(versioned as Api, services, { credentials, now }), {
      prefix: VERSIONED_PREFIX,
    });
  if (families.includes('panel')) {
    panelRoutes(app, services, { secure: tls !== undefined, now });
    await app.register(async (panel) => resourceRoutesOfPanel(panel as Api, services), { prefix: PANEL_PREFIX });
    consoleSocket(app, {
      console: services.console,
      sockets: gateway.sockets,
      limits: () => gateway.settings.limits,
      takeCommand: ({ kind, credential }) => kind === 'local' || gateway.limit.take(credential, now()) === 0,
      traffic: gateway.metrics.consoleTraffic,
      recordCommand: (request, identity, line) =>
        void gateway.audit.write(typedCommand(request, { identity, line, at: now() })),
      onError: (error) => log.debug({ err: error }, 'a console call failed'),
    });
    await pages(app, { describe, panel: gateway.panel, base: problems.docsBase });
  }
  return app;
}

function portsOf({ addresses }: Gateway): number[] {
  return [addresses.panel, addresses.remote].flatMap((url) => {
    if (url === null) return [];
    const { port, protocol } = new URL(url);
    return [Number(port || (protocol === 'https:' ? 443 : 80))];
  });
}
