import type { FastifyInstance, FastifyRequest } from 'fastify';
import { field } from '../../http/forms.ts';
import { sendPage } from '../../pages/send-page.ts';
import { confirmPage } from '../../pages/sign-in/confirm-page.ts';
import type { Account } from '../accounts.ts';
import { type CheckPasskey, WRONG_PASSKEY } from '../passkeys/check-passkey.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { Identities } from '../providers/identities.ts';
import type { IdentityProvider } from '../providers/providers.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Browser, browserOf, forUser, type SignedInUser } from '../sessions/signed-in.ts';
import { destinationOf } from './confirmation.ts';
import type { SignIn } from './sign-in.ts';

const WRONG = 'The password is wrong.';
const WRONG_CODE = 'This code is wrong, or was already used.';

export interface ConfirmationRoutesOptions {
  browser: Browser;
  sessions: Sessions;
  signIn: SignIn;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  checkPasskey: CheckPasskey;
  identities: Identities;
  providers: readonly IdentityProvider[];
}

/** The page that asks for the password or a passkey before a sensitive change. */
export function confirmationRoutes(app: FastifyInstance, options: ConfirmationRoutesOptions): void {
  const { browser, sessions, signIn, secondFactors, passkeys, checkPasskey, identities, providers } = options;
  const path = '/account/confirm';

  async function show({ id, name, passwordHash }: Account, request: FastifyRequest, problem?: string) {
    const hasPasskeys = (await passkeys.ofAccount(id)).some(({ isForeign }) => !isForeign);
    const hasOther = hasPasskeys || passwordHash !== undefined;
    const connected = hasOther ? [] : await identities.ofAccount(id);
    return confirmPage({
      to: destinationOf(request),
      action: `${path}?to=${destinationOf(request)}`,
      account: name,
      hasPassword: passwordHash !== undefined,
      hasSecondFactor: await secondFactors.isOn(id),
      hasPasskeys,
      providers: providers.filter(({ issuer }) => connected.some((identity) => identity.issuer === issuer)),
      problem,
    });
  }

  /** Resolves to the account as it was checked, or to what is wrong. */
  async function check(user: SignedInUser, request: FastifyRequest): Promise<Account | string> {
    const { id, name } = user.account;
    const response = field(request, 'passkey');
    if (response !== '') {
      const proven = await checkPasskey(response, request.ip);
      return proven?.id === id ? proven : WRONG_PASSKEY;
    }
    const verified = await signIn.check({
      name,
      password: field(request, 'password'),
      address: request.ip,
      browser: browserOf(user),
    });
    if (!verified) return WRONG;
    if (!(await secondFactors.isOn(id)) || (await signIn.checkCode(verified, field(request, 'code')))) return verified;
    return WRONG_CODE;
  }

  app.get(
    path,
    forUser(browser, async ({ account }, request, reply) => sendPage(reply, await show(account, request))),
  );
  app.post(
    path,
    forUser(browser, async ({ account, session }, request, reply) => {
      const proven = await check({ account, session }, request);
      if (typeof proven === 'string') return sendPage(reply, await show(account, request, proven), 400);
      if (!(await sessions.confirm({ account: proven, session })))
        return sendPage(reply, await show(account, request, WRONG), 400);
      return reply.redirect(destinationOf(request), 303);
    }),
  );
}
