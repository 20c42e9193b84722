import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Browser, forUser } from '../../accounts/sessions/signed-in.ts';
import { field } from '../../http/forms.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { DaemonDomain } from '../../panel/daemon-domain.ts';
import type { Database } from '../../store/database.ts';
import type { Fleet } from '../fleet.ts';
import { fleetQuery, selectFleet } from '../fleet-query.ts';
import { readHistory } from '../history.ts';
import { parseLabels, setLabels } from '../labels.ts';
import { computerPage } from './computer-page.ts';
import { fleetPage } from './fleet-page.ts';

export interface FleetPagesOptions {
  fleet: Fleet;
  issuer: string;
  database: Database;
  browser: Browser;
  panel: { domain: DaemonDomain } | undefined;
  /** Milliseconds. */
  now: () => number;
}

/** The overview in the browser. */
export function fleetPages(app: FastifyInstance, options: FleetPagesOptions): void {
  const { fleet, issuer, database, browser, panel, now } = options;
  app.get(
    '/fleet',
    forUser(browser, async ({ account }, request, reply) => {
      // An address that somebody has changed by hand shows everything.
      const { data } = fleetQuery.safeParse(queryOf(request));
      const query = data ?? fleetQuery.parse({});
      const all = await fleet.ofAccount(account.id);
      const found = selectFleet(all, query);
      const shown = { issuer, query, found, hasAny: all.length > 0, panelDomain: panel?.domain, now: now() };
      return sendPage(reply, fleetPage(shown));
    }),
  );

  async function computer(daemonId: string, accountId: string, request: FastifyRequest) {
    const daemon = await fleet.find(daemonId, accountId);
    const range = (request.query as { range?: unknown }).range === '90d' ? '90d' : '48h';
    const history = await readHistory(database, { daemonId, range, now: now() });
    const panelOrigin = panel?.domain.originOf(daemon);
    return { daemon, ...(await fleet.instances(daemonId)), history, range, panelOrigin, now: now() } as const;
  }

  app.get(
    '/fleet/:daemonId',
    forUser(browser, async ({ account }, request, reply) =>
      sendPage(reply, computerPage(await computer(idOf(request), account.id, request))),
    ),
  );

  app.post(
    '/fleet/:daemonId/labels',
    forUser(browser, async ({ account }, request, reply) => {
      const shown = await computer(idOf(request), account.id, request);
      const { daemonId } = shown.daemon;
      try {
        await setLabels(database, daemonId, parseLabels(field(request, 'labels')));
      } catch (error) {
        if (!(error instanceof GamekeeperError)) throw error;
        return sendPage(reply, computerPage(shown, `${error.message} ${error.resolution}`), 400);
      }
      return reply.redirect(`/fleet/${daemonId}`, 303);
    }),
  );
}

function idOf({ params }: FastifyRequest): string {
  return (params as { daemonId: string }).daemonId;
}

/** Several labels may be in one field. */
function queryOf({ query }: FastifyRequest): object {
  const { label = [], ...rest } = query as { label?: string | string[] };
  const labels = [label].flat().flatMap((text) => text.split(','));
  return { ...rest, label: labels.map((text) => text.trim()).filter(Boolean) };
}
