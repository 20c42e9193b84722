import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../pages/send-page.ts';
import type { Browser } from '../sessions/signed-in.ts';
import type { SignInFlow } from './sign-in-flow.ts';

export function signInRoutes(
  app: FastifyInstance,
  { browser, signInFlow }: { browser: Browser; signInFlow: SignInFlow },
): void {
  const action = '/sign-in';

  app.get('/', (_request, reply) => reply.redirect('/account', 303));

  app.get('/sign-in', async (request, reply) => {
    if (await browser.userOf(request.headers)) return reply.redirect('/account', 303);
    return sendPage(reply, signInFlow.page({ action }));
  });

  app.post('/sign-in', async (request, reply) => {
    const step = await signInFlow.submit(request, reply, { action });
    if (!('account' in step)) return sendPage(reply, step.markup, step.status);
    return reply.redirect('/account', 303);
  });

  app.post('/sign-out', async (request, reply) => {
    await browser.signOut(request, reply);
    return reply.redirect('/sign-in', 303);
  });
}
