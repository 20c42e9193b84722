import type { FastifyInstance } from 'fastify';
import type { Daemons } from '../daemons/directory.ts';
import type { RemoveDaemon } from '../daemons/remove-daemon.ts';
import { field } from '../http/forms.ts';
import type { Clients } from '../oauth/clients.ts';
import type { Grants } from '../oauth/grants.ts';
import { accountPage } from '../pages/account-page.ts';
import { passwordPage } from '../pages/password-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { ChangePassword } from './change-password.ts';
import { createProgramList } from './program-list.ts';
import type { Sessions } from './sessions.ts';
import { type Browser, forUser } from './signed-in.ts';

export interface AccountRoutesOptions {
  issuer: string;
  browser: Browser;
  sessions: Sessions;
  access: { daemons: Daemons; clients: Clients; grants: Grants };
  removeDaemon: RemoveDaemon;
  changePassword: ChangePassword;
}

type WithId = { id: string };

/** The account's page, and the buttons on it. Each changes only what belongs to the account. */
export function accountRoutes(app: FastifyInstance, options: AccountRoutesOptions): void {
  const { issuer, browser, sessions, access, removeDaemon, changePassword } = options;
  const programsOf = createProgramList(access);

  app.get(
    '/account',
    forUser(browser, async ({ account, session }, _request, reply) => {
      const daemons = await access.daemons.ofAccount(account.id);
      const markup = accountPage({
        account: account.name,
        issuer,
        daemons,
        programs: await programsOf(account.id, daemons),
        sessions: await sessions.ofAccount(account.id),
        current: session.id,
      });
      return sendPage(reply, markup);
    }),
  );

  const button = (path: string, act: (id: string, accountId: string) => Promise<unknown>) =>
    app.post(
      path,
      forUser(browser, async ({ account }, request, reply) => {
        await act((request.params as WithId).id, account.id);
        return reply.redirect('/account', 303);
      }),
    );
  button('/account/daemons/:id/remove', removeDaemon);
  button('/account/grants/:id/revoke', access.grants.revoke);
  button('/account/sessions/:id/end', sessions.end);

  app.get(
    '/account/password',
    forUser(browser, async ({ account }, _request, reply) => sendPage(reply, passwordPage(account.name))),
  );
  app.post(
    '/account/password',
    forUser(browser, async (user, request, reply) => {
      const entered = { password: field(request, 'password'), newPassword: field(request, 'newPassword') };
      const problem = await changePassword(user, { ...entered, address: request.ip });
      if (problem !== undefined) return sendPage(reply, passwordPage(user.account.name, problem), 400);
      return reply.redirect('/account', 303);
    }),
  );
}
