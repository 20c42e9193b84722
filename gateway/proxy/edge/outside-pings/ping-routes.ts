import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { createRateLimit } from '../../../../shared/node/rate-limit.ts';
import { outsidePingQuestion } from '../../../../shared/schema/outside-ping.ts';
import type { DaemonTokens } from '../../daemons/daemon-token.ts';
import { bearerOf } from '../../http/refuse.ts';
import { pingFromHere } from './ping-from-here.ts';

/** Of one account: enough to try while setting up a router, too few to look for servers. */
const OF_ACCOUNT = { requestsPerSecond: 0.1, burst: 6 };
/** At the same moment, in this process. Each takes a socket for up to 10 s. */
const MOST_AT_ONCE = 64;
const BUSY_SECONDS = 5;

export interface PingRoutesOptions {
  tokens: { daemon: DaemonTokens };
  /** Addresses of the proxy's own network may be pinged. */
  allowsPrivate: boolean;
  /** Milliseconds. */
  now: () => number;
}

/** The API with which a daemon learns whether friends can reach a server: the proxy is somewhere else on the internet, as they are. */
export function pingRoutes(app: FastifyInstance, { tokens, allowsPrivate, now }: PingRoutesOptions): void {
  const ofAccount = createRateLimit(() => OF_ACCOUNT);
  let atOnce = 0;

  app.post<{ Params: { daemonId: string } }>('/api/daemons/:daemonId/ping', async ({ params, body, raw }) => {
    const { accountId } = await tokens.daemon.redeem(bearerOf(raw) ?? '', params.daemonId);
    const question = outsidePingQuestion.safeParse(body);
    if (!question.success) {
      const [issue] = question.error.issues;
      throw new GamekeeperError('invalid_request', `Body: ${issue?.path.join('.') || 'value'}: ${issue?.message}.`);
    }
    const wait = atOnce < MOST_AT_ONCE ? ofAccount.take(accountId, now()) : BUSY_SECONDS;
    if (wait > 0)
      throw new GamekeeperError('rate_limited', 'The proxy tests no more addresses for now.', {
        retryAfterSeconds: wait,
      });
    atOnce += 1;
    try {
      return await pingFromHere(question.data, { allowsPrivate });
    } finally {
      atOnce -= 1;
    }
  });
}
