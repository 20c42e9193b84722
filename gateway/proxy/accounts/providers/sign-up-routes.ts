import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { username } from '../../../../shared/schema/users.ts';
import { field } from '../../http/forms.ts';
import { messagePage } from '../../pages/message-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import { chooseNamePage } from '../../pages/sign-in/choose-name-page.ts';
import type { Vault } from '../../store/vault.ts';
import type { Account } from '../accounts.ts';
import type { Audit } from '../audit.ts';
import type { Invitations } from '../invitations/invitations.ts';
import type { SignUp } from '../invitations/sign-up.ts';
import { createSealedProofs } from '../sealed-proof.ts';
import type { Browser } from '../sessions/signed-in.ts';
import type { Identity } from './identities.ts';
import type { SignUpPolicy } from './provider-config.ts';
import type { ProviderPurpose } from './provider-flow.ts';
import type { IdentityProvider } from './providers.ts';

const CONTEXT = 'new account by a provider';
/** How long the person may take to choose a name. */
const WITHIN_MS = 15 * 60_000;

/** What the browser keeps while the person chooses a name. */
interface Proof {
  identity: Identity;
  provider: string;
  invitation?: string;
}

export interface ProviderSignUp {
  /** Offers an account to somebody who has none, if that is allowed. */
  offer(
    proven: { provider: IdentityProvider; purpose: ProviderPurpose & { kind: 'sign-in' }; identity: Identity },
    reply: FastifyReply,
  ): Promise<FastifyReply>;
}

export interface ProviderSignUpOptions {
  access: { audit: Audit; browser: Browser };
  invitations: Invitations;
  signUp: SignUp;
  policy: SignUpPolicy;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function providerSignUpRoutes(app: FastifyInstance, options: ProviderSignUpOptions): ProviderSignUp {
  const { access, invitations, signUp, policy, vault, now } = options;
  const proofs = createSealedProofs<Proof>({ vault, context: CONTEXT, withinMs: WITHIN_MS, now });

  app.post('/providers/sign-up', async (request, reply) => {
    const [sealed, name] = [field(request, 'proof'), field(request, 'name').trim()];
    const proof = proofs.open(sealed);
    if (!proof) return expired(reply);
    const { identity, provider, invitation } = proof;
    const again = (problem: string) =>
      sendPage(reply, chooseNamePage({ proof: sealed, name, provider, label: identity.label, problem }), 400);
    const { error } = username.safeParse(name);
    if (error) return again(`The name ${error.issues[0]?.message}.`);
    try {
      const account = await create(name, proof);
      if (!account) return expired(reply);
      return await welcome(
        account,
        `by ${provider}, ${identity.label}${invitation ? ', invited' : ''}`,
        request,
        reply,
      );
    } catch (thrown) {
      if (!(thrown instanceof GamekeeperError) || thrown.code !== 'user_exists') throw thrown;
      return again(`${thrown.message} ${thrown.resolution}`);
    }
  });

  function create(name: string, { identity, invitation }: Proof): Promise<Account | undefined> {
    if (invitation !== undefined) return signUp.redeem(invitation, name, { identity });
    return policy === 'providers' ? signUp.uninvited(name, { identity }) : Promise.resolve(undefined);
  }

  async function welcome(account: Account, detail: string, request: FastifyRequest, reply: FastifyReply) {
    await access.audit.record({ account, action: 'account.created', detail, address: request.ip });
    await access.browser.signIn(account, request, reply);
    return reply.redirect('/account', 303);
  }

  return {
    async offer({ provider, purpose: { invitation }, identity }, reply) {
      const isInvited = invitation !== undefined && (await invitations.find(invitation)) !== undefined;
      if (!isInvited && policy !== 'providers') return unknown(provider, reply);
      const proof = proofs.seal({ identity, provider: provider.name, ...(isInvited && { invitation }) });
      const form = { proof, name: suggested(identity.label) };
      return sendPage(reply, chooseNamePage({ ...form, provider: provider.name, label: identity.label }));
    },
  };
}

/** The name at the provider, without what a name here must not have. */
function suggested(label: string): string {
  return label
    .replace(/@.*$/, '')
    .replace(/[^A-Za-z0-9._-]/g, '')
    .replace(/^[._-]+/, '');
}

function expired(reply: FastifyReply): FastifyReply {
  const text = 'That took too long, or your invitation no longer works. Go back and start again.';
  return sendPage(reply, messagePage({ title: 'Please start again', text }), 400);
}

function unknown({ name }: IdentityProvider, reply: FastifyReply): FastifyReply {
  const text = `Your ${name} account is not connected with an account here. If you have one, sign in another way and connect ${name} on your account page. If not, ask whoever runs this proxy for an invitation.`;
  return sendPage(reply, messagePage({ title: 'Not connected', text }), 403);
}
