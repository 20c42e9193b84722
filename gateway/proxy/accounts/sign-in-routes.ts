import type { FastifyInstance } from 'fastify';
import { field } from '../http/forms.ts';
import { sendPage } from '../pages/send-page.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import type { SignIn } from './sign-in.ts';
import type { Browser } from './signed-in.ts';

export const WRONG = 'Name or password is wrong.';

export function signInRoutes(app: FastifyInstance, { browser, signIn }: { browser: Browser; signIn: SignIn }): void {
  const action = '/sign-in';

  app.get('/', (_request, reply) => reply.redirect('/account', 303));

  app.get('/sign-in', async (request, reply) => {
    if (await browser.userOf(request.headers)) return reply.redirect('/account', 303);
    return sendPage(reply, signInPage({ action }));
  });

  app.post('/sign-in', async (request, reply) => {
    const name = field(request, 'name').trim();
    const account = await signIn.check({ name, password: field(request, 'password'), address: request.ip });
    if (!account) return sendPage(reply, signInPage({ action, name, problem: WRONG }), 401);
    await browser.signIn(account, request, reply);
    return reply.redirect('/account', 303);
  });

  app.post('/sign-out', async (request, reply) => {
    await browser.signOut(request, reply);
    return reply.redirect('/sign-in', 303);
  });
}
