import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import type { PasswordWork } from '../../../../shared/node/passwords/password-work.ts';
import { password as passwordRule } from '../../../../shared/schema/credentials.ts';
import { username } from '../../../../shared/schema/users.ts';
import { field } from '../../http/forms.ts';
import { deviceOf } from '../../pages/account/browser-name.ts';
import { messagePage } from '../../pages/message-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import { signUpPage } from '../../pages/sign-in/sign-up-page.ts';
import type { Accounts } from '../accounts.ts';
import type { Audit } from '../audit.ts';
import { parsed } from '../passkeys/check-passkey.ts';
import type { Browser } from '../sessions/signed-in.ts';
import type { Invitation, Invitations } from './invitations.ts';
import type { FirstWay, SignUp } from './sign-up.ts';

export interface InvitationRoutesOptions {
  accounts: Accounts;
  audit: Audit;
  browser: Browser;
  invitations: Invitations;
  passwords: PasswordWork;
  signUp: SignUp;
  providers: readonly { id: string; name: string }[];
}

type WithToken = { token: string };

/** The page behind the link of an invitation, on which somebody makes their account. */
export function invitationRoutes(app: FastifyInstance, options: InvitationRoutesOptions): void {
  const { accounts, audit, browser, invitations, providers, signUp } = options;
  const tokenOf = (request: FastifyRequest) => (request.params as WithToken).token;

  app.get('/invite/:token', async (request, reply) => {
    const token = tokenOf(request);
    if (!(await invitations.find(token))) return gone(reply);
    return sendPage(reply, signUpPage({ token, providers, signedInAs: await nameIn(request) }));
  });

  app.post('/invite/:token/options', async (request, reply) => {
    const invitation = await invitations.find(tokenOf(request));
    if (!invitation) throw new GamekeeperError('route_not_found', GONE, { resolution: 'Ask for a new one.' });
    const name = field(request, 'name').trim();
    const problem = problemOf(name);
    if (problem !== undefined) throw new GamekeeperError('invalid_request', problem, { resolution: 'Choose another.' });
    // Before a passkey is made that would be of no use.
    if (await accounts.isTaken(name)) throw new GamekeeperError('user_exists', taken(name), { resolution: CHOOSE });
    return reply.header('cache-control', 'no-store').send(await signUp.beginPasskey(invitation.id, name));
  });

  app.post('/invite/:token', async (request, reply) => {
    const token = tokenOf(request);
    const invitation = await invitations.find(token);
    if (!invitation) return gone(reply);
    const name = field(request, 'name').trim();
    const refuse = async (problem: string) =>
      sendPage(reply, signUpPage({ token, name, problem, providers, signedInAs: await nameIn(request) }), 400);
    const problem = problemOf(name);
    if (problem !== undefined) return refuse(problem);
    if (await accounts.isTaken(name)) return refuse(`${taken(name)} ${CHOOSE}`);
    const way = await firstWay(request, invitation, options);
    if (typeof way === 'string') return refuse(way);
    try {
      const account = await signUp.redeem(token, name, way);
      if (!account) return gone(reply);
      const detail = `invited by ${invitation.invitedBy}`;
      await audit.record({ account, action: 'account.created', detail, address: request.ip });
      await browser.signIn(account, request, reply);
      return reply.redirect('/account', 303);
    } catch (error) {
      if (error instanceof GamekeeperError && error.code === 'user_exists') return refuse(`${taken(name)} ${CHOOSE}`);
      throw error;
    }
  });

  const nameIn = async ({ headers }: FastifyRequest) => (await browser.userOf(headers))?.account.name;
}

const GONE = 'This invitation was already used, has expired or was revoked.';
const CHOOSE = 'Choose another name.';
const taken = (name: string) => `There is already an account with the name "${name}".`;

function gone(reply: FastifyReply): FastifyReply {
  const text = `${GONE} Each one creates a single account. Ask for a new one.`;
  return sendPage(reply, messagePage({ title: 'This invitation no longer works', text }), 404);
}

function problemOf(name: string): string | undefined {
  const { error } = username.safeParse(name);
  return error && `The name ${error.issues[0]?.message}.`;
}

/** Resolves to what the person has chosen, or to what is wrong with it. */
async function firstWay(
  request: FastifyRequest,
  invitation: Invitation,
  { passwords, signUp }: InvitationRoutesOptions,
): Promise<FirstWay | string> {
  const response = field(request, 'passkey');
  if (response !== '') {
    const made = await signUp.checkPasskey(parsed(response), invitation.id);
    if (!made) return 'That did not work. Try the passkey again, or choose a password.';
    return { passkey: { ...made, name: deviceOf(request.headers['user-agent'] ?? '') ?? 'Passkey' } };
  }
  const password = field(request, 'password');
  if (!passwordRule.safeParse(password).success) return 'The password must have 8 to 256 characters.';
  return { passwordHash: await passwords.hash(password, { group: addressGroup(request.ip), known: false }) };
}
