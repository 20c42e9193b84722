import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS } from './page.ts';

export function sendPage(reply: FastifyReply, markup: string, status = 200): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(markup);
}
