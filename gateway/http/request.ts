import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Safe to write to a log or a terminal. */
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,64}$/;
const LONGEST_PATH = 256;
/** The path segment after `/instances/`. checkRoutes refuses routes that call it otherwise, so that none escapes the access check. */
export const INSTANCE_PARAMETER = ':id';
const OF_INSTANCE = new RegExp(`/instances/${INSTANCE_PARAMETER}(?:/|$)`);

const storage = new AsyncLocalStorage<string>();

export function withinRequest<T>(requestId: string, work: () => T): T {
  return storage.run(requestId, work);
}

/** Returns the id of the request that the current code runs for, so that calls to other processes carry it. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}

/**
 * Returns the id that every response carries as `x-request-id`, and every process's logs: the caller's own if it is acceptable, else a
 * random one. It is stored in the headers, so that every call returns the same id.
 */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && ACCEPTABLE_ID.test(given)) return given;
  const id = randomUUID();
  headers['x-request-id'] = id;
  return id;
}

/** Returns the path of a request for logs: cut short, and without the query, which may hold a ticket. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return (url.split('?')[0] ?? '').slice(0, LONGEST_PATH);
}

/** Returns the instance id in the path of a request. The instance need not exist. */
export function instanceOf({ routeOptions, params }: FastifyRequest): string | undefined {
  if (!OF_INSTANCE.test(routeOptions.url ?? '')) return undefined;
  return (params as { id: string }).id;
}
