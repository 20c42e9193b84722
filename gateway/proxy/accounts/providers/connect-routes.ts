import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../../shared/node/html.ts';
import { askPage } from '../../pages/ask-page.ts';
import { messagePage } from '../../pages/message-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Audit } from '../audit.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Browser, forUser } from '../sessions/signed-in.ts';
import { destinationOf, forConfirmedUser, isConfirmed } from '../sign-in/confirmation.ts';
import type { Identities, Identity } from './identities.ts';
import type { ProviderFlow, ProviderPurpose } from './provider-flow.ts';
import type { IdentityProvider } from './providers.ts';

export interface ConnectRoutesOptions {
  audit: Audit;
  browser: Browser;
  flow: ProviderFlow;
  identities: Identities;
  providers: readonly IdentityProvider[];
  sessions: Sessions;
}

/** How people connect a provider with their account, disconnect it, and prove with it that it is them. */
export interface ConnectRoutes {
  /** Called when the browser comes back from the provider. */
  finish(
    proven: {
      provider: IdentityProvider;
      purpose: ProviderPurpose & { kind: 'connect' | 'confirm' };
      identity: Identity;
    },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>;
}

export function connectRoutes(app: FastifyInstance, options: ConnectRoutesOptions): ConnectRoutes {
  const { audit, browser, flow, identities, providers, sessions } = options;

  for (const provider of providers) {
    const { id, name, issuer } = provider;
    const removePath = `/account/providers/${id}/remove`;
    app.get(`/account/providers/${id}/connect`, async (_request, reply) => reply.redirect('/account', 303));
    app.post(
      `/account/providers/${id}/connect`,
      forConfirmedUser(browser, '/account', async ({ session }, request, reply) =>
        flow.begin(provider, { kind: 'connect', sessionId: session.id, to: '/account' }, request, reply),
      ),
    );
    app.post(
      `/account/confirm/${id}`,
      forUser(browser, async ({ session }, request, reply) =>
        flow.begin(provider, { kind: 'confirm', sessionId: session.id, to: destinationOf(request) }, request, reply),
      ),
    );
    app.get(
      removePath,
      forConfirmedUser(browser, removePath, async (_user, _request, reply) =>
        sendPage(
          reply,
          askPage({
            title: `Disconnect ${name}?`,
            text: html`<p>You can no longer sign in with it, and your other browsers are signed out. Your account at ${name} stays as it is.</p>`,
            action: removePath,
            label: 'Disconnect',
          }),
        ),
      ),
    );
    app.post(
      removePath,
      forConfirmedUser(browser, removePath, async (user, request, reply) => {
        const event = { account: user.account, detail: name, address: request.ip };
        if (await identities.remove(user, issuer)) await audit.record({ ...event, action: 'provider.removed' });
        return reply.redirect('/account', 303);
      }),
    );
  }

  return {
    async finish({ provider, purpose, identity }, request, reply) {
      const user = await browser.userOf(request.headers);
      if (!user || user.session.id !== purpose.sessionId) return notYours(reply);
      if (purpose.kind === 'confirm') {
        const owner = await identities.accountOf(identity);
        // A password may need a code as well, which a provider must not replace.
        if (owner?.id !== user.account.id || owner.passwordHash !== undefined) return notYours(reply);
        await sessions.confirm({ account: owner, session: user.session });
        return reply.redirect(purpose.to, 303);
      }
      if (!isConfirmed(user) || !(await identities.connect(user, identity))) return notYours(reply);
      const event = { account: user.account, detail: `${provider.name}, ${identity.label}`, address: request.ip };
      await audit.record({ ...event, action: 'provider.connected' });
      return reply.redirect(purpose.to, 303);
    },
  };
}

function notYours(reply: FastifyReply): FastifyReply {
  const text = 'It belongs to another account, or you took too long. Go back to your account and try again.';
  return sendPage(reply, messagePage({ title: 'Nothing was changed', text }), 400);
}
