import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { ListPingError } from '../list-ping/list-ping-error.ts';
import type { PingTarget } from '../list-ping/ping-server.ts';

/** How often a question is sent within the timeout, because a datagram may be lost. */
const ATTEMPTS = 3;

/** Returns the answer in a message, or `undefined` if the message is not the answer. Throws RangeError if it is malformed. */
export type TakeAnswer<Answer> = (message: Buffer) => Answer | undefined;

export interface DatagramExchange {
  /** Sends a question until a message is its answer. Only one question at a time. `withinMs`: in place of the rest of the timeout. */
  ask<Answer>(question: Buffer, take: TakeAnswer<Answer>, withinMs?: number): Promise<Answer>;
}

/**
 * Runs a conversation with a game server over UDP, within the target's timeout. Messages of others are dropped. Throws ListPingError if the
 * port is closed or an answer is missing, and for a RangeError of the conversation, because then an answer is malformed.
 */
export async function exchangeDatagrams<Result>(
  { host, port, timeoutMs }: Omit<PingTarget, 'name'>,
  conversation: (exchange: DatagramExchange) => Promise<Result>,
): Promise<Result> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const where = `${host}:${port}`;
  const endsAt = performance.now() + timeoutMs;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // after the last question nobody waits for it
  const fail = (cause: Error) =>
    failed.reject(new ListPingError('refused', `Cannot reach ${where} over UDP`, { cause }));
  socket.on('error', fail);
  const connected = Promise.withResolvers<void>();
  // Connected, so that a closed port causes an error. The types lack the one of the callback (nodejs.org, dgram).
  socket.connect(port, host, (...[failure]: [Error?]) => (failure ? fail(failure) : connected.resolve()));

  async function ask<Answer>(question: Buffer, take: TakeAnswer<Answer>, withinMs?: number): Promise<Answer> {
    const limitMs = withinMs ?? Math.max(0, endsAt - performance.now());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const listen = (message: Buffer) => {
      try {
        const answer = take(message);
        if (answer !== undefined) resolve(answer);
      } catch (error) {
        reject(error);
      }
    };
    const send = () => socket.send(question);
    socket.on('message', listen);
    const again = setInterval(send, Math.max(1, limitMs / ATTEMPTS));
    const timer = setTimeout(
      () => reject(new ListPingError('timeout', `${where} did not answer within ${timeoutMs} ms`)),
      limitMs,
    );
    try {
      send();
      return await Promise.race([promise, failed.promise]);
    } finally {
      clearInterval(again);
      clearTimeout(timer);
      socket.off('message', listen);
    }
  }

  try {
    await Promise.race([connected.promise, failed.promise]);
    return await conversation({ ask });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ListPingError('malformed', `${where} sent a malformed answer: ${error.message}`, { cause: error });
  } finally {
    socket.close();
  }
}
