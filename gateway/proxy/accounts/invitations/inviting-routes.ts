import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { field } from '../../http/forms.ts';
import { invitationPage } from '../../pages/admin/invitation-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import { forAdministrator } from '../administration/for-administrator.ts';
import type { Audit } from '../audit.ts';
import type { Browser } from '../sessions/signed-in.ts';
import type { Invitations } from './invitations.ts';
import { inviteLink, newInvitation } from './new-invitation.ts';

export interface InvitingRoutesOptions {
  issuer: string;
  audit: Audit;
  browser: Browser;
  invitations: Invitations;
}

/** The buttons with which administrators invite people, and take invitations back. */
export function invitingRoutes(app: FastifyInstance, options: InvitingRoutesOptions): void {
  const { issuer, audit, browser, invitations } = options;
  app.post(
    '/admin/invitations',
    forAdministrator(browser, '/admin', async (user, request, reply) => {
      const { account } = user;
      const entered = newInvitation.safeParse({
        note: field(request, 'note'),
        isAdmin: field(request, 'isAdmin') !== '',
        days: field(request, 'days'),
      });
      if (!entered.success)
        throw new GamekeeperError('invalid_request', 'The invitation needs a short note and 1 to 30 days.', {
          resolution: 'Go back and correct it.',
        });
      const created = await invitations.create(entered.data, { name: account.name, user });
      if (!created) return reply.redirect('/admin', 303);
      const event = { account, detail: entered.data.note, address: request.ip };
      await audit.record({ ...event, action: 'invitation.created' });
      return sendPage(reply, invitationPage(created, inviteLink(issuer, created.token)));
    }),
  );
  app.post(
    '/admin/invitations/:id/revoke',
    forAdministrator(browser, '/admin', async (user, request, reply) => {
      const { account } = user;
      const revoked = await invitations.revoke((request.params as { id: string }).id, user);
      const event = { account, detail: revoked?.note ?? '', address: request.ip };
      if (revoked) await audit.record({ ...event, action: 'invitation.revoked' });
      return reply.redirect('/admin', 303);
    }),
  );
}
