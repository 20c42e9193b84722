import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import type { Scope } from '../../../../shared/domain/access/scope.ts';
import type { Browser, SignedInUser } from '../../accounts/sessions/signed-in.ts';
import type { SignInFlow } from '../../accounts/sign-in/sign-in-flow.ts';
import type { Daemons, LinkedDaemon } from '../../daemons/directory.ts';
import { field, fields } from '../../http/forms.ts';
import { consentPage, linkPage } from '../../pages/consent/consent-page.ts';
import { messagePage } from '../../pages/message-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Clients } from '../clients.ts';
import type { Grants } from '../grants.ts';
import type { OauthServer } from '../server.ts';
import { allow } from './allow.ts';
import { type Wish, wishOf } from './wish.ts';

/** The program or the person asks for the password even from somebody who is signed in (OpenID Connect Core, 3.1.2.1). */
const ASKS_AGAIN = ['login_prompt', 'max_age'];

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface InteractionsOptions {
  oauth: OauthServer;
  browser: Browser;
  signInFlow: SignInFlow;
  daemons: Daemons;
  clients: Clients;
  grants: Grants;
}

/** What oidc-provider asks the person: to sign in, and to allow what a program wants. */
export function interactionRoutes(app: FastifyInstance, options: InteractionsOptions): void {
  const { oauth, browser, signInFlow } = options;
  const consent = createConsent(options);

  app.get('/interaction/:uid', async (request, reply) => {
    const interaction = await currentInteraction(oauth.provider, request, reply);
    if (!interaction) return expired(reply);
    const user = await browser.userOf(request.headers);
    if (interaction.prompt.name === 'login') {
      const asksAgain = interaction.prompt.reasons.some((reason) => ASKS_AGAIN.includes(reason));
      // Somebody who comes back from a provider has signed in since the program asked. Both times are whole seconds.
      if (user && (!asksAgain || user.session.signedInAt.getTime() > interaction.iat * 1000))
        return finishLogin(request, reply, user.account.id, user.session.signedInAt);
      return sendPage(reply, signInFlow.page(await targetOf(interaction)));
    }
    return user ? consent.show(interaction, user, reply) : expired(reply);
  });

  app.post('/interaction/:uid/sign-in', async (request, reply) => {
    const interaction = await currentInteraction(oauth.provider, request, reply);
    if (interaction?.prompt.name !== 'login') return expired(reply);
    const step = await signInFlow.submit(request, reply, await targetOf(interaction));
    if (!('account' in step)) return sendPage(reply, step.markup, step.status);
    return finishLogin(request, reply, step.account.id, new Date());
  });

  app.post('/interaction/:uid/consent', async (request, reply) => {
    const interaction = await currentInteraction(oauth.provider, request, reply);
    const user = await browser.userOf(request.headers);
    if (interaction?.prompt.name !== 'consent' || interaction.session?.accountId !== user?.account.id || !user)
      return expired(reply);
    return consent.decide(interaction, user, request, reply);
  });

  async function finishLogin(request: FastifyRequest, reply: FastifyReply, accountId: string, at: Date) {
    const login = { accountId, ts: Math.floor(at.getTime() / 1000) };
    const next = await oauth.provider.interactionResult(
      request.raw,
      reply.raw,
      { login },
      { mergeWithLastSubmission: false },
    );
    return reply.redirect(next, 303);
  }

  const targetOf = async (interaction: Interaction) => ({
    action: actionOf(interaction, 'sign-in'),
    program: await programOf(interaction),
    interaction: interaction.uid,
  });
  const programOf = async ({ params }: Interaction) =>
    (await oauth.provider.Client.find(String(params.client_id)))?.clientName ?? String(params.client_id);
}

/** The consent page and its two buttons. */
function createConsent({ oauth, daemons, clients, grants }: InteractionsOptions) {
  /** The computers that can be picked: if the program names some, only those. */
  async function choicesFor(wish: Wish, accountId: string): Promise<LinkedDaemon[]> {
    const owned = await daemons.ofAccount(accountId);
    return wish.daemonIds.length === 0 ? owned : owned.filter(({ daemonId }) => wish.daemonIds.includes(daemonId));
  }

  async function show(interaction: Interaction, { account }: SignedInUser, reply: FastifyReply, problem?: string) {
    const wish = wishOf(interaction.params);
    const action = actionOf(interaction, 'consent');
    if (wish.isLink) return sendPage(reply, linkPage({ action, account: account.name }));
    const client = await oauth.provider.Client.find(wish.clientId);
    const choices = await choicesFor(wish, account.id);
    const markup = consentPage({
      action,
      program: client?.clientName ?? wish.clientId,
      owner: await clients.ownerOf(wish.clientId),
      redirectUri: String(interaction.params.redirect_uri),
      account: account.name,
      scopes: wish.scopes as Scope[],
      daemons: choices,
      // Nothing is ticked for people with several computers: they choose.
      picked: choices.length === 1 || wish.daemonIds.length > 0 ? choices.map(({ daemonId }) => daemonId) : [],
      ...(problem !== undefined && { problem }),
    });
    return sendPage(reply, markup, problem === undefined ? 200 : 400);
  }

  async function decide(interaction: Interaction, user: SignedInUser, request: FastifyRequest, reply: FastifyReply) {
    const finish = async (result: Parameters<Provider['interactionResult']>[2], mergeWithLastSubmission: boolean) =>
      reply.redirect(
        await oauth.provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission }),
        303,
      );
    if (field(request, 'decision') !== 'allow')
      return finish({ error: 'access_denied', error_description: 'the person has refused' }, false);

    const wish = wishOf(interaction.params);
    const accountId = user.account.id;
    const ticked = fields(request, 'daemon');
    const needsDaemon = !wish.isLink && wish.scopes.length > 0;
    const choices = needsDaemon ? await choicesFor(wish, accountId) : [];
    const daemonIds = choices.map(({ daemonId }) => daemonId).filter((id) => ticked.includes(id));
    if (needsDaemon && daemonIds.length === 0) return show(interaction, user, reply, 'Choose at least one computer.');

    const { grantId, resources } = await allow({ oauth, grants }, wish, { accountId, daemonIds });
    // The codes and tokens that follow are for what was picked.
    interaction.params.resource = resources.length === 1 ? resources[0] : resources;
    await interaction.persist();
    return finish({ consent: { grantId } }, true);
  }

  return { show, decide };
}

function actionOf({ uid }: Interaction, what: 'sign-in' | 'consent'): string {
  return `/interaction/${uid}/${what}`;
}

/** The cookie of an interaction names it as well: nobody can send another browser to theirs. */
async function currentInteraction(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(request.raw, reply.raw);
    return interaction.uid === (request.params as { uid: string }).uid ? interaction : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

function expired(reply: FastifyReply): FastifyReply {
  const text = 'This page has expired, or it was opened in another browser. Go back to the program and start again.';
  return sendPage(reply, messagePage({ title: 'Please start again', text }), 400);
}
