import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { html } from '../../../../shared/node/html.ts';
import { displayName } from '../../../../shared/schema/printable-line.ts';
import { field } from '../../http/forms.ts';
import { deviceOf } from '../../pages/account/browser-name.ts';
import { passkeyPage } from '../../pages/account/passkey-page.ts';
import { askPage } from '../../pages/ask-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Audit } from '../audit.ts';
import type { Browser } from '../sessions/signed-in.ts';
import { forConfirmedUser, isConfirmed } from '../sign-in/confirmation.ts';
import { parsed } from './check-passkey.ts';
import type { Passkeys } from './passkeys.ts';

const NOT_ADDED = 'That did not work. Create the passkey again.';

export interface PasskeyRoutesOptions {
  issuer: string;
  browser: Browser;
  passkeys: Passkeys;
  audit: Audit;
}

/** Why a proxy at this address has no passkeys; `undefined` if it has. Browsers bind them to a host name. */
export function whyNoPasskeys(issuer: string): string | undefined {
  const { hostname } = new URL(issuer);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return undefined;
  return 'Passkeys do not work at an IP address. Whoever runs this proxy can give it a name: GAMEKEEPER_PROXY_URL.';
}

export function passkeyRoutes(app: FastifyInstance, { issuer, browser, passkeys, audit }: PasskeyRoutesOptions): void {
  const addPath = '/account/passkeys/add';
  app.post('/passkeys/options', async (_request, reply) => {
    requireHostName(issuer);
    return reply.header('cache-control', 'no-store').send(await passkeys.beginUse());
  });

  app.post('/account/passkeys/options', async (request, reply) => {
    requireHostName(issuer);
    const user = await browser.userOf(request.headers);
    if (!user || !isConfirmed(user))
      throw new GamekeeperError('unauthenticated', 'You were signed out, or took too long.', {
        resolution: 'Reload this page.',
      });
    return reply.header('cache-control', 'no-store').send(await passkeys.beginAdding(user.account));
  });

  const suggested = (request: FastifyRequest) => deviceOf(request.headers['user-agent'] ?? '') ?? '';
  app.get(
    addPath,
    forConfirmedUser(browser, addPath, async ({ account }, request, reply) => {
      requireHostName(issuer);
      return sendPage(reply, passkeyPage({ account: account.name, name: suggested(request) }));
    }),
  );

  app.post(
    '/account/passkeys',
    forConfirmedUser(browser, addPath, async (user, request, reply) => {
      const name = displayName.safeParse(field(request, 'name'));
      const refuse = (problem: string) => {
        const form = { account: user.account.name, name: name.data ?? '', problem };
        return sendPage(reply, passkeyPage(form), 400);
      };
      if (!name.success) return refuse('The name must be one line of 1 to 64 characters.');
      if (!(await passkeys.add(user, parsed(field(request, 'passkey')), name.data))) return refuse(NOT_ADDED);
      const event = { account: user.account, detail: name.data, address: request.ip };
      await audit.record({ ...event, action: 'passkey.added' });
      return reply.redirect('/account', 303);
    }),
  );

  for (const method of ['GET', 'POST'] as const)
    app.route<{ Params: { id: string } }>({
      method,
      url: '/account/passkeys/:id/remove',
      handler: async (request, reply) => {
        const page = `/account/passkeys/${encodeURIComponent(request.params.id)}/remove`;
        return forConfirmedUser(browser, page, async (user) => {
          const { account } = user;
          const found = (await passkeys.ofAccount(account.id)).find(({ id }) => id === request.params.id);
          if (!found) return reply.redirect('/account', 303);
          if (method === 'POST') {
            const removed = await passkeys.remove(user, found.id);
            if (removed)
              await audit.record({ account, action: 'passkey.removed', detail: removed.name, address: request.ip });
            return reply.redirect('/account', 303);
          }
          return sendPage(
            reply,
            askPage({
              title: `Remove the passkey “${found.name}”?`,
              text: html`<p>You can no longer sign in with it, and your other browsers are signed out. Delete it on the device too, or the device
keeps offering it.</p>`,
              action: page,
              label: 'Remove passkey',
            }),
          );
        })(request, reply);
      },
    });
}

function requireHostName(issuer: string): void {
  const reason = whyNoPasskeys(issuer);
  if (reason !== undefined)
    throw new GamekeeperError('invalid_state', reason, { resolution: 'Ask whoever runs this proxy.' });
}
