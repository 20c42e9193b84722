import * as z from 'zod';
import { showUnprintable } from '../../../../shared/domain/console/invisible-characters.ts';
import { TunnelError } from '../provider.ts';

const ANSWER_WITHIN_MS = 15_000;
const MOST_WORDS = 200;
const TOO_MANY_REQUESTS = 429;

const envelope = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), data: z.unknown() }),
  z.object({ status: z.literal('fail'), data: z.unknown() }),
  z.object({ status: z.literal('error'), data: z.object({ type: z.string(), message: z.unknown().optional() }) }),
]);

/** playit.gg understood a request and refuses it: `reason` is one of its own words, such as `CodeExpired` or `AgentVersionTooOld`. */
export class PlayitRefusal extends Error {
  override name = 'PlayitRefusal';
  readonly reason: string;

  constructor(reason: string) {
    super(`playit.gg refuses: ${reason}`);
    this.reason = reason;
  }
}

export interface PlayitRequest {
  path: string;
  body: object;
  /** Key of the agent; absent while there is none. */
  secret?: string;
}

/**
 * Calls the API of playit.gg (playit-cloud/playit-minecraft-plugin, `agentkey_schema.ts`; playit-cloud/playit-agent, `packages/api_client`). As for
 * its own agent, the variable `API_BASE` leads elsewhere. Throws PlayitRefusal, and TunnelError if it does not answer as described there.
 */
export async function callPlayit<T>(
  { path, body, secret }: PlayitRequest,
  answer: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const text = await post(path, { body, secret, signal });
  const parsed = envelope.safeParse(text);
  if (!parsed.success) throw new TunnelError('playit.gg sent an answer that Gamekeeper does not understand.');
  const { status, data } = parsed.data;
  if (status === 'error' && data.type === 'auth')
    throw new TunnelError(
      'playit.gg does not accept the key of this server any more. Remove the tunnel and set it up again.',
    );
  if (status !== 'success') throw new PlayitRefusal(wordsIn(status === 'error' ? (data.message ?? data.type) : data));
  const read = answer.safeParse(data);
  if (!read.success) throw new TunnelError('playit.gg sent an answer that Gamekeeper does not understand.');
  return read.data;
}

async function post(
  path: string,
  { body, secret, signal }: { body: object; secret: string | undefined; signal: AbortSignal },
): Promise<unknown> {
  const base = process.env.API_BASE || 'https://api.playit.gg';
  try {
    const response = await fetch(new URL(path, base), {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Gamekeeper',
        ...(secret !== undefined && { authorization: `Agent-Key ${secret}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    if (response.status === TOO_MANY_REQUESTS)
      throw new TunnelError('playit.gg is asked too often at the moment. It is asked again later.');
    return await response.json();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof TunnelError) throw cause;
    throw new TunnelError('playit.gg cannot be reached. Check the internet connection of this computer.', { cause });
  }
}

/** A refusal is a word, or an object whose `error` is one. */
function wordsIn(data: unknown): string {
  const said = typeof data === 'string' ? data : ((data as { error?: unknown } | null)?.error ?? JSON.stringify(data));
  return showUnprintable(String(said)).slice(0, MOST_WORDS);
}
