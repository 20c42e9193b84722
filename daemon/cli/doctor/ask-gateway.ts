import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Home } from '../../../shared/node/files/home.ts';

/** It answers in milliseconds; one that is being started again is back within a second. Longer than this it hangs. Milliseconds. */
const ANSWER_WITHIN_MS = 5_000;

/** The answer to one GET over the gateway's own socket. Throws where there is none in time, or not a good one: nobody is waited for. */
export async function askGateway<T>(home: Home, path: string): Promise<T> {
  const asked = request({
    socketPath: home.gatewaySocket,
    path,
    agent: false,
    headers: { host: 'localhost' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await json(response);
  if (response.statusCode !== 200) throw new Error(`it answered ${response.statusCode} to ${path}`);
  return body as T;
}
