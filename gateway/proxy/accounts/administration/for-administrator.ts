import type { FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Browser, forUser, type SignedInUser } from '../sessions/signed-in.ts';
import { forConfirmedUser } from '../sign-in/confirmation.ts';

/** For pages of administrators, who must have proved who they are. For others there is no such page. */
export function forAdministrator(
  browser: Browser,
  page: string,
  show: (user: SignedInUser, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return forUser(browser, async (user, request, reply) => {
    if (!user.account.isAdmin)
      throw new GamekeeperError('route_not_found', 'There is nothing at this address.', {
        resolution: 'Go back to your account.',
      });
    return forConfirmedUser(browser, page, show)(request, reply);
  });
}
