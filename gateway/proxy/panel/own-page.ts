import type { IncomingMessage } from 'node:http';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Where other sites may lead to. */
const PANEL_PAGE = /^\/(?:ui(?:[/?].*)?)?$/s;

/** Returns whether a person opens a page, rather than a script or a program. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, accept = '' } = headers;
  if (method !== 'GET') return false;
  return mode === undefined ? accept.includes('text/html') : mode === 'navigate' && dest === 'document';
}

/**
 * Throws `origin_not_allowed` unless a request comes from a page of this origin. The daemons of the same domain are other people's, and `SameSite` takes
 * them for the same site. Reads count too: an export keeps a server from saving. Only links to pages of the panel may be anywhere.
 */
export function requireOwnPage(request: IncomingMessage, ownOrigin: string): void {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': dest } = request.headers;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  // It would outlive the session, and the daemon's repair.
  if (dest === 'serviceworker' || request.headers['service-worker'] !== undefined)
    throw refused('Service workers are not allowed here.');
  if (origin === undefined ? !reads : origin !== ownOrigin)
    throw refused('This must be sent from a page of the panel.');
  if (site === undefined || site === 'same-origin') return;
  const isLink = isNavigation(request) && (site === 'none' || PANEL_PAGE.test(request.url ?? ''));
  if (!isLink) throw refused('Pages of other sites cannot do this.');
}

/** The same for a WebSocket, with which browsers always send their origin. */
export function requireOwnSocket({ headers: { origin } }: IncomingMessage, ownOrigin: string): void {
  if (origin !== ownOrigin) throw refused('Pages of other sites cannot do this.');
}

function refused(detail: string): GamekeeperError {
  return new GamekeeperError('origin_not_allowed', detail, { resolution: 'Open the panel and do it there.' });
}
