import type { FastifyInstance, FastifyRequest } from 'fastify';
import { totpUri } from '../../../shared/node/passwords/one-time-codes.ts';
import { field } from '../http/forms.ts';
import { newSecretPage, recoveryCodesPage, secondFactorPage } from '../pages/second-factor-pages.ts';
import { sendPage } from '../pages/send-page.ts';
import type { SecondFactors } from './second-factors.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import { type Browser, forUser, type SignedInUser } from './signed-in.ts';

const WRONG_PASSWORD = 'The password is wrong.';
const WRONG_CODE = 'This code is wrong, or was already used.';

export interface SecondFactorRoutesOptions {
  issuer: string;
  browser: Browser;
  sessions: Sessions;
  signIn: SignIn;
  secondFactors: SecondFactors;
}

export function secondFactorRoutes(app: FastifyInstance, options: SecondFactorRoutesOptions): void {
  const { issuer, browser, sessions, signIn, secondFactors } = options;
  const path = '/account/second-factor';

  const isPasswordRight = async ({ account: { name } }: SignedInUser, request: FastifyRequest) =>
    (await signIn.check({ name, password: field(request, 'password'), address: request.ip })) !== undefined;
  const secretPage = async (secret: string, name: string, problem?: string) =>
    newSecretPage({ secret, uri: await totpUri(secret, `${name} on ${new URL(issuer).host}`), problem });

  app.get(
    path,
    forUser(browser, async ({ account }, _request, reply) =>
      sendPage(reply, secondFactorPage({ isOn: await secondFactors.isOn(account.id) })),
    ),
  );

  app.post(
    path,
    forUser(browser, async (user, request, reply) => {
      if (!(await isPasswordRight(user, request)))
        return sendPage(reply, secondFactorPage({ isOn: false, problem: WRONG_PASSWORD }), 400);
      const { id, name } = user.account;
      return sendPage(reply, await secretPage(await secondFactors.begin(id), name));
    }),
  );

  app.post(
    `${path}/confirm`,
    forUser(browser, async ({ account, session }, request, reply) => {
      const secret = await secondFactors.begun(account.id);
      if (secret === undefined) return reply.redirect(path, 303);
      const codes = await secondFactors.confirm(account.id, field(request, 'code'));
      if (!codes) return sendPage(reply, await secretPage(secret, account.name, WRONG_CODE), 400);
      // Whoever signed in with the password alone must do so again.
      await sessions.endOthers(session);
      return sendPage(reply, recoveryCodesPage(codes));
    }),
  );

  app.post(
    `${path}/remove`,
    forUser(browser, async (user, request, reply) => {
      const refuse = (problem: string) => sendPage(reply, secondFactorPage({ isOn: true, problem }), 400);
      if (!(await isPasswordRight(user, request))) return refuse(WRONG_PASSWORD);
      if (!(await signIn.checkCode(user.account, field(request, 'code')))) return refuse(WRONG_CODE);
      await secondFactors.remove(user.account.id);
      return reply.redirect('/account', 303);
    }),
  );
}
