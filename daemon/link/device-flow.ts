import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { GamekeeperError, isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { askProxy, wordsOf } from './ask-proxy.ts';
import { type ProxyAddresses, requireSameOrigin } from './discovery.ts';

/** Registered by every proxy for this purpose. A public client: it has no secret. */
const CLIENT_ID = 'gamekeeper-daemon';
const SCOPE = 'daemon:link';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628, section 3.2: if the proxy names no interval. */
const DEFAULT_INTERVAL_S = 5;
/** RFC 8628, section 3.5: added for `slow_down`. */
const SLOWER_BY_S = 5;
const LONGEST_INTERVAL_S = 60;
const LONGEST_WAIT_S = 3_600;

/** The answer to a request for a code (RFC 8628, section 3.2). The code is shown in terminals. */
const deviceCode = z.object({
  device_code: z.string().min(1),
  user_code: z.string().regex(/^[!-~]{1,32}$/),
  verification_uri: z.url(),
  verification_uri_complete: z.url().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().optional(),
});

const token = z.object({ access_token: z.string().min(1), token_type: z.string().regex(/^bearer$/i) });

export interface DeviceCode {
  /** Secret, for the token endpoint. */
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}

export type Decision = { outcome: 'approved'; accessToken: string } | { outcome: 'denied' | 'expired' };

/** Asks a proxy for a code that its owner enters in a browser. Throws `proxy_unavailable` or `proxy_refused`. */
export async function requestCode(proxy: ProxyAddresses, signal: AbortSignal): Promise<DeviceCode> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, scope: SCOPE, resource: apiOf(proxy.issuer) });
  const answer = await askProxy(proxy.deviceAuthorization, { method: 'POST', body, signal });
  const code = deviceCode.safeParse(answer.body);
  if (answer.status !== 200 || !code.success)
    throw new GamekeeperError('proxy_refused', `The proxy gave no code: ${wordsOf(answer)}.`);
  const { verification_uri: uri, verification_uri_complete: complete = uri, interval } = code.data;
  requireSameOrigin(proxy.issuer, [uri, complete]);
  return {
    deviceCode: code.data.device_code,
    userCode: code.data.user_code,
    verificationUri: uri,
    verificationUriComplete: complete,
    expiresInSeconds: Math.min(code.data.expires_in, LONGEST_WAIT_S),
    intervalSeconds: Math.min(interval ?? DEFAULT_INTERVAL_S, LONGEST_INTERVAL_S),
  };
}

/** Waits until the owner has decided. Rejects when the signal fires; throws `proxy_refused` for an unexpected answer. */
export async function awaitDecision(proxy: ProxyAddresses, code: DeviceCode, signal: AbortSignal): Promise<Decision> {
  const deadline = performance.now() + code.expiresInSeconds * 1000;
  let intervalSeconds = code.intervalSeconds;
  while (performance.now() < deadline) {
    await delay(intervalSeconds * 1000, undefined, { signal });
    const answer = await poll(proxy, code, signal);
    // RFC 8628, section 3.5: wait longer after each failure to connect.
    if (answer === 'unavailable') intervalSeconds = Math.min(intervalSeconds * 2, LONGEST_INTERVAL_S);
    else if (answer === 'slow_down') intervalSeconds += SLOWER_BY_S;
    else if (answer !== 'pending') return answer;
  }
  return { outcome: 'expired' };
}

async function poll(
  { token: endpoint, issuer }: ProxyAddresses,
  { deviceCode }: DeviceCode,
  signal: AbortSignal,
): Promise<Decision | 'pending' | 'slow_down' | 'unavailable'> {
  const body = new URLSearchParams({
    grant_type: GRANT_TYPE,
    device_code: deviceCode,
    client_id: CLIENT_ID,
    resource: apiOf(issuer),
  });
  try {
    const answer = await askProxy(endpoint, { method: 'POST', body, signal });
    const given = token.safeParse(answer.body);
    if (answer.status === 200 && given.success) return { outcome: 'approved', accessToken: given.data.access_token };
    return afterError(answer);
  } catch (error) {
    if (isGamekeeperError(error, 'proxy_unavailable')) return 'unavailable';
    throw error;
  }
}

function afterError(answer: { status: number; body: unknown }): Decision | 'pending' | 'slow_down' {
  switch ((answer.body as { error?: unknown } | undefined)?.error) {
    case 'authorization_pending':
      return 'pending';
    case 'slow_down':
      return 'slow_down';
    case 'access_denied':
      return { outcome: 'denied' };
    // Some servers have forgotten an expired code.
    case 'expired_token':
    case 'invalid_grant':
      return { outcome: 'expired' };
    default:
      throw new GamekeeperError('proxy_refused', `The proxy did not complete the link: ${wordsOf(answer)}.`);
  }
}

/** The resource (RFC 8707) that the token is for: the proxy's own API. */
function apiOf(issuer: string): string {
  return `${issuer.replace(/\/+$/, '')}/api`;
}
