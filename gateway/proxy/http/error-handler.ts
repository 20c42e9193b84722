import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { type ProblemOptions, sendProblem } from '../../http/problem.ts';
import { messagePage } from '../pages/message-page.ts';
import { PAGE_HEADERS } from '../pages/page.ts';
import { isDatabaseAway } from '../store/database.ts';
import { databaseAway } from './database-away.ts';

/** Errors in pages are pages; all others are `application/problem+json`, as the daemon's. */
export function handleErrors(app: FastifyInstance, { issuer, log }: { issuer: string; log: Logger }): void {
  const options: ProblemOptions = {
    docsBase: () => issuer,
    report: (error, requestId) => log.error({ err: error, requestId }, 'a request failed'),
  };
  const send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = isDatabaseAway(thrown) ? databaseAway(thrown) : thrown;
    if (!isForPage(request)) return sendProblem(error, request, reply, options);
    return sendPage(error, request, reply, options);
  };
  app.setErrorHandler((error: FastifyError, request, reply) => send(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    send(
      new GamekeeperError('route_not_found', 'There is nothing at this address.', { resolution: `Go to ${issuer}.` }),
      request,
      reply,
    ),
  );
}

function isForPage({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/html');
}

function sendPage(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { report }: ProblemOptions,
): FastifyReply {
  const known = thrown instanceof GamekeeperError ? thrown : undefined;
  const status = known?.status ?? clientStatusOf(thrown) ?? 500;
  if (status === 500) report(thrown, request.id);
  if (known?.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));
  const text = known
    ? `${known.message} ${known.resolution}`
    : status === 500
      ? `Something went wrong on our side. Try again. If it keeps happening, tell whoever runs this proxy, with the number of the request: ${request.id}`
      : 'This request is not valid. Go back and try again.';
  return reply
    .code(status)
    .headers(PAGE_HEADERS)
    .type('text/html; charset=utf-8')
    .send(messagePage({ title: status === 404 ? 'Not found' : 'That did not work', text }));
}

function clientStatusOf(thrown: unknown): number | undefined {
  const { statusCode } = (thrown ?? {}) as { statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
