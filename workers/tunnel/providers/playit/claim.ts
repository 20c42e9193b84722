import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { TunnelError } from '../provider.ts';
import { callPlayit, PlayitRefusal } from './playit-api.ts';

const CODE_BYTES = 5;
const LOOK_EVERY_MS = 2_000;
const PAGE = 'https://playit.gg/claim/';
/** It may create tunnels for itself without a further sign-in of the owner. */
const AGENT_TYPE = 'self-managed';
const VERSION = 'gamekeeper';

const progress = z.enum(['WaitingForUserVisit', 'WaitingForUser', 'UserAccepted', 'UserRejected']);
const exchanged = z.object({
  secret_key: z
    .string()
    .regex(/^[0-9a-fA-F]+$/)
    .max(1_024),
});

/** Resolves to the key of a new agent when the owner has allowed it on the page that `show` is called with. Throws TunnelError if he declines. */
export async function claimAgent(show: (url: string) => void, signal: AbortSignal): Promise<string> {
  for (;;) {
    const code = randomBytes(CODE_BYTES).toString('hex');
    show(PAGE + code);
    const secret = await untilAccepted(code, signal);
    if (secret !== undefined) return secret;
  }
}

/** Resolves to `undefined` when the code has expired. */
async function untilAccepted(code: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    for (;;) {
      const body = { code, agent_type: AGENT_TYPE, version: VERSION };
      const now = await callPlayit({ path: '/claim/setup', body }, progress, signal);
      if (now === 'UserRejected') throw declined();
      if (now === 'UserAccepted')
        return (await callPlayit({ path: '/claim/exchange', body: { code } }, exchanged, signal)).secret_key;
      await delay(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!(error instanceof PlayitRefusal)) throw error;
    if (error.reason === 'CodeExpired') return undefined;
    if (error.reason === 'UserRejected') throw declined();
    throw new TunnelError(`playit.gg does not let this server use an account: ${error.reason}.`, { cause: error });
  }
}

function declined(): TunnelError {
  return new TunnelError('You declined at playit.gg. To try again, open the new link that is shown in a moment.');
}
