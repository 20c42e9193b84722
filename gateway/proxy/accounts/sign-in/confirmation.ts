import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Browser, forUser, type SignedInUser } from '../sessions/signed-in.ts';

/** Pages that the person may go on to. */
const OWN_PAGE = /^\/(?:account|admin)(?:\/[\w-]+)*$/;

/**
 * Like `forUser`, but only for people who have proved who they are within the last minutes: a browser left open must not be enough for changes of
 * credentials. Others are asked first, and come back to `page`.
 */
export function forConfirmedUser(
  browser: Browser,
  page: string,
  show: (user: SignedInUser, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return forUser(browser, async (user, request, reply) =>
    isConfirmed(user) ? show(user, request, reply) : reply.redirect(`/account/confirm?to=${page}`, 303),
  );
}

/** A change of a credential since then makes it stale. */
export function isConfirmed({ account, session }: SignedInUser): boolean {
  return session.confirmedVersion === account.version;
}

/** Where the person goes on to. Never another site. */
export function destinationOf(request: FastifyRequest): string {
  const { to } = request.query as { to?: unknown };
  return typeof to === 'string' && OWN_PAGE.test(to) ? to : '/account';
}
