import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorResponse, toErrorResponse } from '../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export interface ProblemOptions {
  docsBase: () => string;
  report: (error: unknown, requestId: string) => void;
}

/** Keeps our own errors, translates Fastify's, and hides anything else behind `internal_error`. */
function toGamekeeperError(thrown: unknown, request: FastifyRequest): GamekeeperError {
  if (thrown instanceof GamekeeperError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const most = request.routeOptions.bodyLimit / 1024;
    return new GamekeeperError('body_too_large', `The body is larger than ${most} KiB.`, {
      resolution: `Send at most ${most} KiB.`,
    });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415)
    return new GamekeeperError('unsupported_media_type', 'The body must be JSON with content-type application/json.');
  if (code === 'FST_ERR_BAD_URL')
    return new GamekeeperError('invalid_request', 'The path contains a percent sign without a valid escape sequence.');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new GamekeeperError('invalid_request', thrown instanceof Error ? sentence(thrown.message) : 'Bad request.');
  return new GamekeeperError('internal_error', `An internal error occurred (request ${request.id}).`, {
    cause: thrown,
  });
}

export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { docsBase, report }: ProblemOptions,
): FastifyReply {
  const error = toGamekeeperError(thrown, request);
  if (error.status === 500) report(thrown, request.id);
  for (const [name, value] of Object.entries(problemHeaders(error, request.headers.authorization !== undefined)))
    reply.header(name, value);
  // As bytes: to a string's content type Fastify would add a charset, which JSON media types do not have.
  return reply
    .code(error.status)
    .header('content-type', PROBLEM_TYPE)
    .header('x-request-id', request.id)
    .send(Buffer.from(JSON.stringify(toErrorResponse(error, docsBase()) satisfies ErrorResponse)));
}

/** Returns the headers of an error response (RFC 6750, section 3; RFC 9110, section 10.2.3). */
export function problemHeaders(error: GamekeeperError, sentBearer: boolean): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (error.status === 401) headers['www-authenticate'] = sentBearer ? 'Bearer error="invalid_token"' : 'Bearer';
  if (error.code === 'insufficient_scope' && sentBearer)
    headers['www-authenticate'] =
      `Bearer error="insufficient_scope"${error.scope === undefined ? '' : `, scope="${error.scope}"`}`;
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfterSeconds));
  else if (error.status === 429 || error.status === 503) headers['retry-after'] = '1';
  return headers;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
