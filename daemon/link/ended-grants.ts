import * as z from 'zod';
import { MOST_GRANTS_ASKED } from '../../shared/node/link/protocol.ts';
import { askProxy, wordsOf } from './ask-proxy.ts';

const answer = z.object({ ended: z.array(z.string()) });
const problem = z.object({ code: z.string() });

export interface GrantsQuestion {
  issuer: string;
  daemonId: string;
  /** Signs a token of this daemon, for one use. */
  token: () => Promise<string>;
  grantIds: readonly string[];
}

/**
 * Asks the paired proxy which of these grants no longer let a program use this daemon: all of them, if the proxy does not know the daemon any
 * more. Throws if the proxy gives no answer.
 */
export async function endedGrants({ issuer, daemonId, token, grantIds }: GrantsQuestion): Promise<string[]> {
  const url = `${issuer.replace(/\/+$/, '')}/api/daemons/${daemonId}/grants`;
  const ended: string[] = [];
  for (let from = 0; from < grantIds.length; from += MOST_GRANTS_ASKED) {
    const asked = grantIds.slice(from, from + MOST_GRANTS_ASKED);
    const response = await askProxy(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grantIds: asked }),
    });
    if (problem.safeParse(response.body).data?.code === 'daemon_unknown') return [...grantIds];
    const { data } = answer.safeParse(response.body);
    if (response.status !== 200 || !data) throw new Error(`The proxy does not say: ${wordsOf(response)}.`);
    ended.push(...asked.filter((grantId) => data.ended.includes(grantId)));
  }
  return ended;
}
