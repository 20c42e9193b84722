import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** RFC 6886, section 3.1: the time after which a request is sent again doubles. Milliseconds. */
const WAITS_MS = [250, 500, 1_000, 2_000];

/** A request over UDP that is repeated until it is answered. */
export interface DatagramExchange {
  /** This computer's address in the network of the other side. */
  readonly ownAddress: string;
  /** Resolves to the first datagram that `accepts` returns true for. Rejects when none comes in about four seconds. */
  ask(request: Buffer, accepts: (answer: Buffer) => boolean, signal: AbortSignal): Promise<Buffer>;
  close(): void;
}

/** A connected socket takes datagrams from that address only. */
export async function openExchange(host: string, port: number): Promise<DatagramExchange> {
  const socket = createSocket('udp4');
  socket.connect(port, host);
  await once(socket, 'connect');
  let onAnswer: (answer: Buffer) => void = () => undefined;
  socket.on('message', (answer) => onAnswer(answer));
  socket.on('error', () => undefined); // nobody listens there: it is asked again, and then given up
  return {
    ownAddress: socket.address().address,
    async ask(request, accepts, signal) {
      const answered = Promise.withResolvers<Buffer>();
      onAnswer = (answer) => {
        if (accepts(answer)) answered.resolve(answer);
      };
      for (const wait of WAITS_MS) {
        socket.send(request);
        const answer = await Promise.race([answered.promise, delay(wait, undefined, { signal })]);
        if (answer) return answer;
      }
      throw new Error(`${host} does not answer.`);
    },
    close: () => void socket.close(),
  };
}
