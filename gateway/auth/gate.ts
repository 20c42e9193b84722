import type { FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../shared/node/address-group.ts';
import { isLoopback } from '../../shared/node/loopback.ts';
import type { RateLimit } from '../../shared/node/rate-limit.ts';
import type { Access, Operation } from '../http/operation.ts';
import { hostOf, type OwnAddress } from '../http/own-address.ts';
import { quoted } from '../http/quoted.ts';
import { instanceOf, withinRequest } from '../http/request.ts';
import type { Api } from '../http/zod-provider.ts';
import { requireAccess, requireOwnPassword } from './access.ts';
import { identify, type Shown, shownCredential, shownOverLink } from './authenticate.ts';
import type { Credentials } from './credentials/credentials.ts';
import type { Identity } from './identity.ts';

export interface GateOptions {
  credentials: Credentials;
  rateLimit: RateLimit;
  listener: {
    ownAddress: OwnAddress;
    /** True on the private socket: every request is the local administrator's. Browsers cannot reach it. */
    local: boolean;
    /** True if only this machine can reach it. */
    loopback: boolean;
    /** True for requests that come over the link to the hosted proxy: only the proxy's own tokens count there. */
    linked: boolean;
  };
  isClosing: () => boolean;
  now: () => number;
}

/**
 * Checks every request before its body is parsed: Host, Origin, credentials, rate limit, rights, in this order, so that a page of another
 * site learns nothing about credentials.
 */
export function installGate(app: Api, options: GateOptions): void {
  app.decorateRequest('identity', null);
  app.decorateRequest('actor', null);
  app.decorateRequest('credentialChanges', 0);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    let passing: void | Promise<void>;
    try {
      passing = pass(request, options);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (passing) passing.then(() => withinRequest(request.id, done), done);
    else withinRequest(request.id, done);
  });
  // A body may take two minutes to arrive. What the caller may do by then is what counts.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.identity === null || request.credentialChanges === options.credentials.changes) done();
    else admitAgain(request, request.identity, options).then(() => done(), done);
  });
}

/** Returns no promise if the credential is cached, so that most requests cost no turn of the event loop. */
function pass(request: FastifyRequest, options: GateOptions): void | Promise<void> {
  if (options.isClosing())
    throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.', { retryAfterSeconds: 5 });
  const { ownAddress, local, linked } = options.listener;
  const host = hostOf(request.raw);
  if (!local && !ownAddress.isOwnHost(host))
    throw new GamekeeperError('origin_not_allowed', `The host ${quoted(host ?? '')} is not an address of this daemon.`);

  const { operation } = request.routeOptions.config;
  const access = operation?.access;
  if (request.ws && !request.is404 && !operation?.webSocket)
    throw new GamekeeperError('invalid_request', 'This path does not accept WebSocket connections.', {
      resolution: 'Send an ordinary HTTP request, or connect to /ws/instances/{id}/console.',
    });
  if (operation?.unlimited) return;

  const shown = linked ? shownOverLink(request) : shownCredential(request);
  if (!local) checkOrigin(request, { shown, operation, host: host ?? '', ownAddress });
  if (access !== undefined && isOpenHere(access, request, options.listener)) return;
  const now = options.now();
  request.credentialChanges = options.credentials.changes;
  const identity =
    access === undefined || access.kind === 'public'
      ? undefined
      : identify(shown, options.credentials, {
          local,
          now,
          // An invented cookie costs a call to the daemon, so these calls have a limit of their own (CVE-2025-69199). What was issued
          // here counts by itself, so that nobody at the same address can keep its owner out.
          beforeAsking: (credential = addressOf(request)) =>
            countRequest(`lookup:${credential}`, { rateLimit: options.rateLimit, now }),
        });
  if (identity instanceof Promise)
    return identity.then((found) => admit(request, found, { shown, operation, options, now }));
  admit(request, identity, { shown, operation, options, now });
}

interface Admission {
  shown: Shown | undefined;
  operation: Operation | undefined;
  options: GateOptions;
  now: number;
}

function admit(
  request: FastifyRequest,
  identity: Identity | undefined,
  { shown, operation, options, now }: Admission,
): void {
  if (!options.listener.local)
    countRequest(identity?.credential ?? strangerOf(request), { rateLimit: options.rateLimit, now });
  const access = operation?.access;
  if (access === undefined || access.kind === 'public') return;
  // Set before the check, so that the audit log shows who was refused.
  request.identity = identity ?? null;
  requireAccess(access, identity, { showed: shown !== undefined, instance: instanceOf(request) });
  if (!operation?.beforePasswordChange) requireOwnPassword(identity);
}

/** Checks the rights of a request again, as they are now. */
async function admitAgain(request: FastifyRequest, former: Identity, options: GateOptions): Promise<void> {
  const { operation } = request.routeOptions.config;
  const identity = await options.credentials.current(former, options.now());
  requireAccess(operation!.access, identity, { showed: true, instance: instanceOf(request) });
  if (!operation!.beforePasswordChange) requireOwnPassword(identity);
  request.identity = identity;
}

function countRequest(key: string, { rateLimit, now }: { rateLimit: RateLimit; now: number }): void {
  const seconds = rateLimit.take(key, now);
  if (seconds > 0) throw new GamekeeperError('rate_limited', 'Too many requests.', { retryAfterSeconds: seconds });
}

function addressOf({ ip }: FastifyRequest): string {
  return `address:${addressGroup(ip)}`;
}

/** Sign-ins and pages are counted apart: an attack on one of them at the same address must not refuse the other. */
function strangerOf(request: FastifyRequest): string {
  const { operation, page } = request.routeOptions.config;
  const kind = operation?.signsIn ? 'sign-in' : page ? 'page' : 'request';
  return `${kind}:${addressOf(request)}`;
}

/** Headers that proxies add. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** Returns whether a local scraper may read this without credentials: over loopback from end to end and not through a proxy. */
function isOpenHere(
  access: Access,
  request: FastifyRequest,
  { loopback, local, ownAddress }: GateOptions['listener'],
): boolean {
  if (!opensOnLoopback(access)) return false;
  if (local) return true;
  const { ip, raw } = request;
  if (!loopback || !isLoopback(ip) || !ownAddress.isOnlyLocal(hostOf(raw))) return false;
  return !Object.keys(raw.headers).some((name) => FORWARDING.test(name));
}

function opensOnLoopback(access: Access | undefined): boolean {
  return access?.kind === 'scope' && access.openOnLoopback === true;
}

interface OriginCheck {
  shown: Shown | undefined;
  operation: Operation | undefined;
  host: string;
  ownAddress: OwnAddress;
}

/**
 * Prevents cross-site request forgery and cross-site WebSocket hijacking (OWASP CSRF Prevention Cheat Sheet). Requests that only read count
 * as well: a page on another port of this machine gets the cookie in spite of SameSite, and an export keeps a server from saving. So do
 * those that need no credentials on this machine, which a page of any site could send all the time.
 */
function checkOrigin(request: FastifyRequest, { shown, operation, host, ownAddress }: OriginCheck): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  const byCookie = shown?.kind === 'cookie';
  const usesCookie = byCookie && operation !== undefined && operation.access.kind !== 'public';
  const isAmbient = usesCookie || (shown === undefined && opensOnLoopback(operation?.access));
  if (origin !== undefined) {
    const matters = request.ws || isAmbient || (changes && (byCookie || operation?.signsIn === true));
    if (matters && !ownAddress.isOwnOrigin(origin, host))
      throw new GamekeeperError('origin_not_allowed', `Pages from ${quoted(origin)} are not allowed to do this.`);
    return;
  }
  // Sent by browsers: W3C, Fetch Metadata Request Headers, section 2.4.
  if (isAmbient && (site === 'same-site' || site === 'cross-site'))
    throw new GamekeeperError('origin_not_allowed', 'Pages from other sites and ports are not allowed to do this.');
  if (changes && byCookie && !operation?.signsIn)
    throw new GamekeeperError(
      'origin_not_allowed',
      'A request that carries the session cookie and changes something needs an Origin header.',
      { resolution: `Send the header "Origin: ${request.protocol}://${host}", or use a bearer token.` },
    );
}
