import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { nulIn } from './nul.ts';

const LARGEST_FORM_BYTES = 16 * 1024;

/** Accepts forms of our own pages. The body of a request is a URLSearchParams then. */
export function acceptForms(app: FastifyInstance, issuer: string): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: LARGEST_FORM_BYTES },
    (_request, body, done) => done(nulIn(body as string) ?? null, new URLSearchParams(body as string)),
  );
  app.addHook('preHandler', (request, _reply, done) => done(refusalOf(request, issuer)));
}

/** Returns a field of a form, or '' if it is missing. */
export function field(request: FastifyRequest, name: string): string {
  return request.body instanceof URLSearchParams ? (request.body.get(name) ?? '') : '';
}

/** Returns all values of a field, such as ticked boxes. */
export function fields(request: FastifyRequest, name: string): string[] {
  return request.body instanceof URLSearchParams ? request.body.getAll(name) : [];
}

/** Refuses forms that another site makes a browser send. Browsers name the site; other programs have no cookies to abuse. */
function refusalOf({ method, headers }: FastifyRequest, issuer: string): GamekeeperError | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign = (origin !== undefined && origin !== issuer) || (site !== undefined && site !== 'same-origin');
  if (!isForeign) return undefined;
  return new GamekeeperError('origin_not_allowed', `This form must be sent from a page of ${issuer}.`, {
    resolution: `Open ${issuer} and try again.`,
  });
}
