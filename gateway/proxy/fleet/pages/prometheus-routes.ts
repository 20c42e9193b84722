import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Browser, forUser } from '../../accounts/sessions/signed-in.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { ScrapeTokens } from '../prometheus/scrape-tokens.ts';
import { prometheusPage } from './prometheus-page.ts';

export interface PrometheusPagesOptions {
  scrapeTokens: ScrapeTokens;
  browser: Browser;
  issuer: string;
}

/** The page of the tokens for a Prometheus, and its buttons. */
export function prometheusPages(app: FastifyInstance, { scrapeTokens, browser, issuer }: PrometheusPagesOptions): void {
  const shown = async (accountId: string, more: { added?: string; problem?: string } = {}) =>
    prometheusPage({ issuer, tokens: await scrapeTokens.ofAccount(accountId), ...more });

  app.get(
    '/fleet/prometheus',
    forUser(browser, async ({ account }, _request, reply) => sendPage(reply, await shown(account.id))),
  );

  app.post(
    '/fleet/prometheus',
    forUser(browser, async ({ account }, _request, reply) => {
      try {
        const added = await scrapeTokens.add(account.id);
        return sendPage(reply, await shown(account.id, { added }));
      } catch (error) {
        if (!(error instanceof GamekeeperError)) throw error;
        return sendPage(reply, await shown(account.id, { problem: `${error.message} ${error.resolution}` }), 409);
      }
    }),
  );

  app.post(
    '/fleet/prometheus/:id/remove',
    forUser(browser, async ({ account }, { params }, reply) => {
      await scrapeTokens.remove((params as { id: string }).id, account.id);
      return reply.redirect('/fleet/prometheus', 303);
    }),
  );
}
