import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Browser, forUser } from '../../accounts/sessions/signed-in.ts';
import { field } from '../../http/forms.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Alerts } from '../alerts/alerts.ts';
import { alertsPage } from './alerts-page.ts';

/** The page of the addresses for alerts, and its buttons. */
export function alertPages(app: FastifyInstance, { alerts, browser }: { alerts: Alerts; browser: Browser }): void {
  const { targets } = alerts;

  app.get(
    '/fleet/alerts',
    forUser(browser, async ({ account }, _request, reply) =>
      sendPage(reply, alertsPage({ targets: await targets.ofAccount(account.id) })),
    ),
  );

  app.post(
    '/fleet/alerts',
    forUser(browser, async ({ account }, request, reply) => {
      try {
        const added = await targets.add(account.id, { kind: field(request, 'kind'), url: field(request, 'url') });
        return sendPage(reply, alertsPage({ targets: await targets.ofAccount(account.id), added }));
      } catch (error) {
        if (!(error instanceof GamekeeperError)) throw error;
        const problem = `${error.message} ${error.resolution}`;
        return sendPage(reply, alertsPage({ targets: await targets.ofAccount(account.id), problem }), 400);
      }
    }),
  );

  const button = (path: string, act: (id: string, accountId: string) => Promise<void>) =>
    app.post(
      path,
      forUser(browser, async ({ account }, request, reply) => {
        await act(idOf(request), account.id);
        return reply.redirect('/fleet/alerts', 303);
      }),
    );
  button('/fleet/alerts/:id/test', alerts.test);
  button('/fleet/alerts/:id/remove', targets.remove);
}

function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}
