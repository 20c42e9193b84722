import type { FastifyRequest } from 'fastify';

const LONGEST_PATH = 256;

/** The path of a request as it may be written down: without the query, which may hold a ticket, and not endless. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return (url.split('?')[0] ?? '').slice(0, LONGEST_PATH);
}
