import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { html } from '../../../shared/node/html.ts';
import { username } from '../../../shared/schema/users.ts';
import { field } from '../http/forms.ts';
import { namePage } from '../pages/account/name-page.ts';
import { askPage } from '../pages/ask-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Accounts } from './accounts.ts';
import type { Administration } from './administration/administration.ts';
import type { Audit } from './audit.ts';
import type { Browser } from './sessions/signed-in.ts';
import { forConfirmedUser } from './sign-in/confirmation.ts';

export interface OwnAccountRoutesOptions {
  accounts: Accounts;
  administration: Administration;
  audit: Audit;
  browser: Browser;
}

/** The pages on which people change their name, and delete their account. */
export function ownAccountRoutes(app: FastifyInstance, options: OwnAccountRoutesOptions): void {
  const { accounts, administration, audit, browser } = options;
  const [namePath, deletePath] = ['/account/name', '/account/delete'];

  app.get(
    namePath,
    forConfirmedUser(browser, namePath, async ({ account }, _request, reply) =>
      sendPage(reply, namePage(account.name)),
    ),
  );
  app.post(
    namePath,
    forConfirmedUser(browser, namePath, async (user, request, reply) => {
      const name = field(request, 'name').trim();
      const { error } = username.safeParse(name);
      if (error) return sendPage(reply, namePage(name, `The name ${error.issues[0]?.message}.`), 400);
      try {
        if (!(await accounts.rename(user, name))) return reply.redirect(namePath, 303);
      } catch (thrown) {
        if (!(thrown instanceof GamekeeperError) || thrown.code !== 'user_exists') throw thrown;
        return sendPage(reply, namePage(name, `${thrown.message} ${thrown.resolution}`), 400);
      }
      const event = { account: { ...user.account, name }, detail: `from ${user.account.name}`, address: request.ip };
      await audit.record({ ...event, action: 'account.renamed' });
      return reply.redirect('/account', 303);
    }),
  );

  app.get(
    deletePath,
    forConfirmedUser(browser, deletePath, async ({ account }, _request, reply) =>
      sendPage(
        reply,
        askPage({
          title: 'Delete your account?',
          text: html`<p>Your account, <strong>${account.name}</strong>, is deleted right away. Your computers are unlinked, and the programs you allowed lose
access. Your game servers keep running, and nothing on your computers is deleted.</p><p>This cannot be undone.</p>`,
          action: deletePath,
          label: 'Delete account',
        }),
      ),
    ),
  );
  app.post(
    deletePath,
    forConfirmedUser(browser, deletePath, async (user, request, reply) => {
      const { account } = user;
      if (!(await administration.remove(account.id, user))) return reply.redirect(deletePath, 303);
      await audit.record({ account, action: 'account.removed', address: request.ip });
      await browser.signOut(request, reply);
      return sendPage(
        reply,
        messagePage({
          title: 'Your account is deleted',
          text: 'Your game servers keep running. To use this proxy again, ask for a new invitation.',
        }),
      );
    }),
  );
}
