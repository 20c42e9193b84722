import type { FastifyReply } from 'fastify';
import { headersOf } from './page.ts';

export function sendPage(reply: FastifyReply, markup: string, status = 200): FastifyReply {
  return reply.code(status).headers(headersOf(markup)).type('text/html; charset=utf-8').send(markup);
}
