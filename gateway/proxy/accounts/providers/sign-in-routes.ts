import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { field } from '../../http/forms.ts';
import { messagePage } from '../../pages/message-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { SignInFlow, SignInTarget } from '../sign-in/sign-in-flow.ts';
import type { ConnectRoutes } from './connect-routes.ts';
import type { Identities, Identity } from './identities.ts';
import type { ProviderFlow, ProviderPurpose } from './provider-flow.ts';
import type { IdentityProvider } from './providers.ts';
import type { ProviderSignUp } from './sign-up-routes.ts';

export interface ProviderSignInRoutesOptions {
  providers: readonly IdentityProvider[];
  flow: ProviderFlow;
  identities: Identities;
  signInFlow: SignInFlow;
  signUp: ProviderSignUp;
  connect: ConnectRoutes;
}

const ID = /^[\w-]{1,64}$/;
/** Only there: anybody can send a browser here with a field that they have made up. */
const PANEL = /^\/panel\/[0-9a-f-]{36}(?:\?(?:state=[\w-]{43}|again=1))?$/;

/** The way to a provider, and back. */
export function providerSignInRoutes(app: FastifyInstance, options: ProviderSignInRoutesOptions): void {
  const { providers, flow, identities, signInFlow, signUp, connect } = options;

  for (const provider of providers) {
    app.post(`/providers/${provider.id}/sign-in`, async (request, reply) => {
      const [interaction, panel] = [field(request, 'interaction'), field(request, 'panel')];
      const invitation = field(request, 'invitation');
      const purpose = {
        kind: 'sign-in' as const,
        ...(ID.test(interaction) && { interaction }),
        ...(PANEL.test(panel) && { panel }),
        ...(ID.test(invitation) && { invitation }),
      };
      return flow.begin(provider, purpose, request, reply);
    });

    app.get(`/providers/${provider.id}/callback`, async (request, reply) => {
      const finished = await flow.finish(provider, request);
      if (!finished) return lost(reply);
      if ('problem' in finished) return notProven(provider, finished.problem, reply);
      const { purpose, identity } = finished;
      if (purpose.kind !== 'sign-in') return connect.finish({ provider, purpose, identity }, request, reply);
      return signIn({ provider, purpose, identity }, request, reply);
    });
  }

  async function signIn(
    proven: { provider: IdentityProvider; purpose: ProviderPurpose & { kind: 'sign-in' }; identity: Identity },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { purpose, identity } = proven;
    const account = await identities.accountOf(identity);
    if (!account) return signUp.offer(proven, reply);
    const { target, onward } = destinationOf(purpose);
    const step = await signInFlow.proven(account, request, reply, target);
    if (!('account' in step)) return sendPage(reply, step.markup, step.status);
    return reply.redirect(onward, 303);
  }
}

/** Where the forms of the sign-in are sent if there are more, and where the person goes on. */
function destinationOf({ interaction, panel }: ProviderPurpose & { kind: 'sign-in' }): {
  target: SignInTarget;
  onward: string;
} {
  if (interaction !== undefined)
    return {
      target: { action: `/interaction/${interaction}/sign-in`, interaction },
      onward: `/interaction/${interaction}`,
    };
  if (panel !== undefined) return { target: { action: panel, panel }, onward: panel };
  return { target: { action: '/sign-in' }, onward: '/account' };
}

function lost(reply: FastifyReply): FastifyReply {
  const text = 'This page has expired, was already used, or was opened in another browser. Go back and start again.';
  return sendPage(reply, messagePage({ title: 'Please start again', text }), 400);
}

function notProven({ name }: IdentityProvider, problem: 'refused' | 'failed', reply: FastifyReply): FastifyReply {
  const text =
    problem === 'refused'
      ? `You did not allow ${name} to tell us who you are. Go back to sign in another way.`
      : `${name} did not confirm who you are. Go back and try again. If it keeps happening, tell whoever runs this proxy.`;
  return sendPage(reply, messagePage({ title: 'Not signed in', text }), problem === 'refused' ? 400 : 502);
}
