import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Browser } from '../accounts/sessions/signed-in.ts';
import type { Daemons } from '../daemons/directory.ts';
import { bearerOf } from '../http/refuse.ts';
import type { Grants } from '../oauth/grants.ts';
import { apiOf } from '../oauth/resources.ts';
import type { TokenCheck } from '../oauth/tokens/check-token.ts';
import type { Database } from '../store/database.ts';
import type { Fleet, FleetDaemon } from './fleet.ts';
import { fleetQuery, selectFleet } from './fleet-query.ts';
import { HISTORY_RANGES, readHistory } from './history.ts';
import { labels, setLabels } from './labels.ts';
import { isScrapeToken, type ScrapeTokens } from './prometheus/scrape-tokens.ts';
import { scrapeTargets } from './prometheus/targets.ts';

export interface FleetRoutesOptions {
  fleet: Fleet;
  issuer: string;
  database: Database;
  accounts: Accounts;
  browser: Browser;
  tokens: { check: TokenCheck };
  grants: Grants;
  daemons: Daemons;
  scrapeTokens: ScrapeTokens;
  /** Milliseconds. */
  now: () => number;
}

interface Caller {
  accountId: string;
  /** The computers that the person has picked for the program; all for the person. */
  sees: (daemonId: string) => boolean;
}

const historyQuery = z.object({ range: z.enum(HISTORY_RANGES).default('48h') });
const newLabels = z.strictObject({ labels });
const HEADERS = { 'cache-control': 'no-store' };

type WithId = { Params: { daemonId: string } };

/** The API of the overview (docs/proxy.md). */
export function fleetRoutes(app: FastifyInstance, options: FleetRoutesOptions): void {
  const { fleet, issuer, database, accounts, browser, tokens, grants, daemons, scrapeTokens, now } = options;

  /** A browser may only read: its cookie comes with requests of other sites' making as well. */
  async function callerOf(request: FastifyRequest, scope: Scope): Promise<Caller> {
    const token = bearerOf(request.raw);
    if (token === undefined && request.method === 'GET') {
      const user = await browser.userOf(request.headers);
      if (user) return { accountId: user.account.id, sees: () => true };
    }
    const checked = token === undefined ? undefined : await tokens.check.forAudience(token, apiOf(issuer));
    if (!checked || !(await accounts.find(checked.accountId)))
      throw new GamekeeperError(
        'unauthenticated',
        'The access token is missing, not for this API, expired or revoked.',
        {
          resolution: 'Get a token for this proxy and send it as "Authorization: Bearer ...".',
        },
      );
    if (!checked.scopes.includes(scope))
      throw new GamekeeperError('insufficient_scope', `This needs the scope ${scope}.`, { scope });
    const granted = await grants.find(checked.grantId, checked.accountId);
    return { accountId: checked.accountId, sees: (daemonId) => granted?.daemonIds.includes(daemonId) ?? false };
  }

  async function daemonFor(request: FastifyRequest<WithId>, scope: Scope): Promise<FleetDaemon> {
    const { accountId, sees } = await callerOf(request, scope);
    const { daemonId } = request.params;
    // What the program may not see looks like what does not exist.
    return fleet.find(sees(daemonId) ? daemonId : '', accountId);
  }

  app.get('/api/fleet', async (request, reply) => {
    const { accountId, sees } = await callerOf(request, 'servers:read');
    const query = parse(fleetQuery, request.query, 'Query');
    const all = await fleet.ofAccount(accountId);
    return reply.headers(HEADERS).send(
      selectFleet(
        all.filter(({ daemonId }) => sees(daemonId)),
        query,
      ),
    );
  });

  app.get('/api/fleet/prometheus-targets', async (request, reply) => {
    const token = bearerOf(request.raw);
    const scraper = token !== undefined && isScrapeToken(token) ? await scrapeTokens.accountOf(token) : undefined;
    const { accountId, sees } =
      scraper === undefined ? await callerOf(request, 'servers:read') : { accountId: scraper, sees: () => true };
    const visible = (await daemons.ofAccount(accountId)).filter(({ daemonId }) => sees(daemonId));
    return reply.headers(HEADERS).send(scrapeTargets(visible, await fleet.labels(accountId), issuer));
  });

  app.get<WithId>('/api/fleet/:daemonId', async (request, reply) => {
    const daemon = await daemonFor(request, 'servers:read');
    return reply.headers(HEADERS).send({ ...daemon, ...(await fleet.instances(daemon.daemonId)) });
  });

  app.get<WithId>('/api/fleet/:daemonId/history', async (request, reply) => {
    const { daemonId } = await daemonFor(request, 'servers:read');
    const { range } = parse(historyQuery, request.query, 'Query');
    return reply.headers(HEADERS).send(await readHistory(database, { daemonId, range, now: now() }));
  });

  app.put<WithId>('/api/fleet/:daemonId/labels', async (request, reply) => {
    const { daemonId } = await daemonFor(request, 'servers:write');
    const given = parse(newLabels, request.body, 'Body');
    await setLabels(database, daemonId, given.labels);
    return reply.headers(HEADERS).send(given);
  });
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GamekeeperError('invalid_request', `${where}: ${issue?.path.join('.') || 'value'}: ${issue?.message}.`);
}
