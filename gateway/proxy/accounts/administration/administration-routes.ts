import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { generatePassword } from '../../../../shared/node/generated-password.ts';
import { html } from '../../../../shared/node/html.ts';
import { askerOf, type PasswordWork } from '../../../../shared/node/passwords/password-work.ts';
import { field } from '../../http/forms.ts';
import { managedAccountPage, newPasswordPage } from '../../pages/admin/account-page.ts';
import { accountsPage } from '../../pages/admin/accounts-page.ts';
import { askPage } from '../../pages/ask-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Audit, AuditAction } from '../audit.ts';
import type { Invitations } from '../invitations/invitations.ts';
import type { Browser, SignedInUser } from '../sessions/signed-in.ts';
import type { AccountSummary, Administration } from './administration.ts';
import { forAdministrator } from './for-administrator.ts';

const SHOWN_ACTIVITY = 20;

export interface AdministrationRoutesOptions {
  administration: Administration;
  audit: Audit;
  browser: Browser;
  invitations: Invitations;
  passwords: PasswordWork;
}

interface Act {
  user: SignedInUser;
  /** The account that it is about, never the administrator's own. */
  account: AccountSummary;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The pages on which administrators manage the accounts of others. */
export function administrationRoutes(app: FastifyInstance, options: AdministrationRoutesOptions): void {
  const { administration, audit, browser, invitations, passwords } = options;

  app.get(
    '/admin',
    forAdministrator(browser, '/admin', async (_user, request, reply) => {
      const { search } = request.query as { search?: unknown };
      const looked = typeof search === 'string' ? search : '';
      const { accounts, total } = await administration.search(looked);
      const markup = accountsPage({ accounts, total, search: looked, invitations: await invitations.list() });
      return sendPage(reply, markup);
    }),
  );

  const accountRoute = (method: 'GET' | 'POST', action: string, act: (act: Act) => Promise<FastifyReply>) =>
    app.route<{ Params: { id: string } }>({
      method,
      url: `/admin/accounts/:id${action}`,
      handler: (request, reply) => {
        const page = `/admin/accounts/${encodeURIComponent(request.params.id)}`;
        return forAdministrator(browser, page, async (user) => {
          const account = await administration.describe(request.params.id);
          if (!account) return reply.redirect('/admin', 303);
          if (account.id === user.account.id) return reply.redirect('/account', 303);
          return act({ user, account, request, reply });
        })(request, reply);
      },
    });
  const pageOf = ({ id }: AccountSummary) => `/admin/accounts/${id}`;
  async function done(
    { user, account, request }: Act,
    action: AuditAction,
    change: (by: SignedInUser) => Promise<boolean>,
  ) {
    if (!(await change(user))) throw stale();
    await audit.record({ account, action, actor: user.account.name, address: request.ip });
  }

  accountRoute('GET', '', async ({ account, reply }) =>
    sendPage(reply, managedAccountPage(account, await audit.ofAccount(account.id, SHOWN_ACTIVITY))),
  );
  accountRoute('POST', '/disable', async (act) => {
    await done(act, 'account.disabled', (by) => administration.disable(act.account.id, by));
    return act.reply.redirect(pageOf(act.account), 303);
  });
  accountRoute('POST', '/enable', async (act) => {
    await done(act, 'account.enabled', (by) => administration.enable(act.account.id, by));
    return act.reply.redirect(pageOf(act.account), 303);
  });
  accountRoute('POST', '/reset-password', async (act) => {
    const { user, account, request, reply } = act;
    const password = generatePassword();
    const passwordHash = await passwords.hash(password, askerOf({ username: user.account.name }));
    const removeSecondFactor = field(request, 'removeSecondFactor') !== '';
    await done(act, 'password.reset', (by) =>
      administration.resetPassword(account.id, { passwordHash, removeSecondFactor }, by),
    );
    return sendPage(reply, newPasswordPage(account, password));
  });
  accountRoute('GET', '/remove', async ({ account, reply }) =>
    sendPage(
      reply,
      askPage({
        title: `Delete the account ${account.name}?`,
        text: html`<p>The account is deleted right away. ${account.daemons === 1 ? 'Its computer is' : `Its ${account.daemons} computers are`} unlinked, and its programs lose access. Nothing on the
computers themselves is deleted.</p><p>This cannot be undone. If you only want to keep them out, disable the account instead.</p>`,
        action: `${pageOf(account)}/remove`,
        label: 'Delete account',
        back: pageOf(account),
      }),
    ),
  );
  accountRoute('POST', '/remove', async (act) => {
    await done(act, 'account.removed', (by) => administration.remove(act.account.id, by));
    return act.reply.redirect('/admin', 303);
  });
}

/** The account is gone, or the administrator was changed meanwhile. */
function stale(): GamekeeperError {
  return new GamekeeperError('invalid_state', 'Nothing was changed, because the account has just changed.', {
    resolution: 'Go back and try again.',
  });
}
