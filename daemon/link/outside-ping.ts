import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { type OutsidePing, type OutsidePingQuestion, outsidePing } from '../../shared/schema/outside-ping.ts';
import { askProxy, wordsOf } from './ask-proxy.ts';

const TOO_MANY_REQUESTS = 429;

/**
 * Has the paired proxy ping an address. `token`: proves which daemon asks. Throws `proxy_unavailable`, `rate_limited`, or `proxy_refused` with its
 * reason.
 */
export async function askForPing(
  question: OutsidePingQuestion,
  { issuer, daemonId, token }: { issuer: string; daemonId: string; token: string },
): Promise<OutsidePing> {
  const answer = await askProxy(`${issuer.replace(/\/+$/, '')}/api/daemons/${daemonId}/ping`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  if (answer.status === 404)
    throw new GamekeeperError('proxy_refused', `The proxy ${issuer} is too old to test addresses.`, {
      resolution: 'Ask whoever runs it to update it.',
    });
  if (answer.status === TOO_MANY_REQUESTS)
    throw new GamekeeperError('rate_limited', wordsOf(answer), { resolution: 'Try again in a minute.' });
  const { data } = outsidePing.safeParse(answer.body);
  if (answer.status !== 200 || !data)
    throw new GamekeeperError('proxy_refused', wordsOf(answer), {
      resolution: 'See the reason, or ask whoever runs the proxy.',
    });
  return data;
}
