import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Gateway } from '../gateway.ts';
import { hostOf, type OwnAddress } from '../http/own-address.ts';
import { requestId } from '../http/request.ts';

export interface HealthShortcutOptions {
  gateway: Gateway;
  ownAddress: OwnAddress;
  paths: readonly string[];
}

/**
 * Answers `GET /health` before the router, which halves the cost of the most frequent request. Returns false for anything special (a
 * foreign Host, another method, a daemon that must be asked first), which the route handles.
 */
export function createHealthShortcut({ gateway, ownAddress, paths }: HealthShortcutOptions) {
  const { services, metrics, now } = gateway;
  const answered = new Map(
    Array.from(paths, (route) => [route, metrics.requests({ method: 'GET', route, status: 200 })]),
  );
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const requests = answered.get(request.url ?? '');
    if (requests === undefined || request.method !== 'GET' || gateway.closing) return false;
    const text = services.health.known(now());
    if (text === undefined || !ownAddress.isOwnHost(hostOf(request))) return false;
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'x-request-id': requestId(request),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    response.end(text);
    requests.count++;
    return true;
  };
}
