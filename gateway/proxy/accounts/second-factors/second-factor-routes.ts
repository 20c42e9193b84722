import type { FastifyInstance, FastifyRequest } from 'fastify';
import { totpUri } from '../../../../shared/node/passwords/one-time-codes.ts';
import { field } from '../../http/forms.ts';
import { newSecretPage, recoveryCodesPage, secondFactorPage } from '../../pages/account/second-factor-pages.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Account } from '../accounts.ts';
import type { Audit } from '../audit.ts';
import { type Browser, browserOf, forUser, type SignedInUser } from '../sessions/signed-in.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { SecondFactors } from './second-factors.ts';

const WRONG_PASSWORD = 'The password is wrong.';
const WRONG_CODE = 'This code is wrong, or was already used.';

export interface SecondFactorRoutesOptions {
  issuer: string;
  browser: Browser;
  signIn: SignIn;
  secondFactors: SecondFactors;
  audit: Audit;
}

export function secondFactorRoutes(app: FastifyInstance, options: SecondFactorRoutesOptions): void {
  const { issuer, browser, signIn, secondFactors, audit } = options;
  const path = '/account/second-factor';

  /** The user as the password was checked; `undefined` if it is wrong. */
  async function verified(user: SignedInUser, request: FastifyRequest) {
    const account = await signIn.check({
      name: user.account.name,
      password: field(request, 'password'),
      address: request.ip,
      browser: browserOf(user),
    });
    return account && { account, session: user.session };
  }
  const hasPassword = ({ passwordHash }: Account) => passwordHash !== undefined;
  const secretPage = async (secret: string, name: string, problem?: string) =>
    newSecretPage({ secret, uri: await totpUri(secret, `${name} on ${new URL(issuer).host}`), problem });

  app.get(
    path,
    forUser(browser, async ({ account }, _request, reply) =>
      sendPage(
        reply,
        secondFactorPage({ hasPassword: hasPassword(account), isOn: await secondFactors.isOn(account.id) }),
      ),
    ),
  );

  app.post(
    path,
    forUser(browser, async (user, request, reply) => {
      const by = await verified(user, request);
      const secret = by && (await secondFactors.begin(by));
      if (secret === undefined)
        return sendPage(
          reply,
          secondFactorPage({ hasPassword: hasPassword(user.account), isOn: false, problem: WRONG_PASSWORD }),
          400,
        );
      return sendPage(reply, await secretPage(secret, user.account.name));
    }),
  );

  app.post(
    `${path}/confirm`,
    forUser(browser, async (user, request, reply) => {
      const { account } = user;
      const secret = await secondFactors.begun(account.id);
      if (secret === undefined) return reply.redirect(path, 303);
      const codes = await secondFactors.confirm(user, field(request, 'code'));
      if (!codes) return sendPage(reply, await secretPage(secret, account.name, WRONG_CODE), 400);
      await audit.record({ account, action: 'second-factor.on', address: request.ip });
      return sendPage(reply, recoveryCodesPage(codes));
    }),
  );

  app.post(
    `${path}/remove`,
    forUser(browser, async (user, request, reply) => {
      const refuse = (problem: string) =>
        sendPage(reply, secondFactorPage({ hasPassword: true, isOn: true, problem }), 400);
      const by = await verified(user, request);
      if (!by) return refuse(WRONG_PASSWORD);
      if (!(await signIn.checkCode(by.account, field(request, 'code')))) return refuse(WRONG_CODE);
      if (!(await secondFactors.remove(by))) return refuse(WRONG_PASSWORD);
      await audit.record({ account: user.account, action: 'second-factor.off', address: request.ip });
      return reply.redirect('/account', 303);
    }),
  );
}
