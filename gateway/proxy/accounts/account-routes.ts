import type { FastifyInstance } from 'fastify';
import type { Daemons } from '../daemons/directory.ts';
import type { RemoveDaemon } from '../daemons/remove-daemon.ts';
import { field } from '../http/forms.ts';
import type { Clients } from '../oauth/clients.ts';
import type { Grants } from '../oauth/grants.ts';
import { accountPage } from '../pages/account/account-page.ts';
import { passwordPage } from '../pages/account/password-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { DaemonDomain } from '../panel/daemon-domain.ts';
import type { Audit, AuditAction } from './audit.ts';
import type { ChangePassword } from './change-password.ts';
import { whyNoPasskeys } from './passkeys/passkey-routes.ts';
import type { Passkeys } from './passkeys/passkeys.ts';
import { createProgramList } from './programs/program-list.ts';
import type { ConnectedIdentity, Identities } from './providers/identities.ts';
import type { IdentityProvider } from './providers/providers.ts';
import type { SecondFactors } from './second-factors/second-factors.ts';
import type { Sessions } from './sessions/sessions.ts';
import { type Browser, forUser, type SignedInUser } from './sessions/signed-in.ts';
import { forConfirmedUser } from './sign-in/confirmation.ts';

export interface AccountRoutesOptions {
  issuer: string;
  browser: Browser;
  sessions: Sessions;
  access: { daemons: Daemons; clients: Clients; grants: Grants };
  removeDaemon: RemoveDaemon;
  changePassword: ChangePassword;
  passkeys: Passkeys;
  secondFactors: SecondFactors;
  audit: Audit;
  /** Absent: there are no panels. */
  panelDomain: DaemonDomain | undefined;
  identities: Identities;
  providers: readonly IdentityProvider[];
}

const SHOWN_ACTIVITY = 10;

type WithId = { id: string };

/** The account's page, and the buttons on it. Each changes only what belongs to the account. */
export function accountRoutes(app: FastifyInstance, options: AccountRoutesOptions): void {
  const { issuer, browser, sessions, access, removeDaemon, changePassword, passkeys, secondFactors, audit } = options;
  const noPasskeys = whyNoPasskeys(issuer);
  const { identities, providers, panelDomain } = options;
  const programsOf = createProgramList(access);
  const providersOf = (connected: readonly ConnectedIdentity[]) =>
    providers.map(({ id, name, issuer }) => {
      const found = connected.find((identity) => identity.issuer === issuer);
      return { id, name, ...(found && { connected: found }) };
    });

  app.get(
    '/account',
    forUser(browser, async ({ account, session }, _request, reply) => {
      const daemons = await access.daemons.ofAccount(account.id);
      const markup = accountPage({
        account,
        issuer,
        daemons,
        panelDomain,
        programs: await programsOf(account.id, daemons),
        sessions: await sessions.ofAccount(account.id),
        current: session.id,
        signingIn: {
          hasPassword: account.passwordHash !== undefined,
          hasSecondFactor: await secondFactors.isOn(account.id),
          passkeys: await passkeys.ofAccount(account.id),
          ...(noPasskeys !== undefined && { noPasskeys }),
          providers: providersOf(await identities.ofAccount(account.id)),
        },
        activity: await audit.ofAccount(account.id, SHOWN_ACTIVITY),
      });
      return sendPage(reply, markup);
    }),
  );

  /** `act` resolves to false if nothing was changed. */
  const button = (path: string, action: AuditAction, act: (id: string, accountId: string) => Promise<boolean>) =>
    app.post(
      path,
      forUser(browser, async ({ account }, request, reply) => {
        if (await act((request.params as WithId).id, account.id))
          await audit.record({ account, action, address: request.ip });
        return reply.redirect('/account', 303);
      }),
    );
  button('/account/daemons/:id/remove', 'daemon.removed', removeDaemon);
  button('/account/grants/:id/revoke', 'grant.revoked', access.grants.revoke);
  button('/account/sessions/:id/end', 'session.ended', sessions.end);

  const passwordPath = '/account/password';
  /** Whoever has no password must prove themselves in another way. */
  const withProof = (show: Parameters<typeof forUser>[1]) =>
    forUser(browser, (user, request, reply) =>
      user.account.passwordHash === undefined
        ? forConfirmedUser(browser, passwordPath, show)(request, reply)
        : show(user, request, reply),
    );
  const formFor = ({ account }: SignedInUser, problem?: string) =>
    passwordPage({ account: account.name, hasPassword: account.passwordHash !== undefined, problem });
  app.get(
    passwordPath,
    withProof(async (user, _request, reply) => sendPage(reply, formFor(user))),
  );
  app.post(
    passwordPath,
    withProof(async (user, request, reply) => {
      const entered = { password: field(request, 'password'), newPassword: field(request, 'newPassword') };
      const problem = await changePassword(user, { ...entered, address: request.ip });
      if (problem !== undefined) return sendPage(reply, formFor(user, problem), 400);
      await audit.record({ account: user.account, action: 'password.changed', address: request.ip });
      return reply.redirect('/account', 303);
    }),
  );
}
