import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Test } from 'tap';

const PUBLIC_PORT = 40_000;
const LIFETIME_SECONDS = 120;

/** A router that speaks PCP, until the end of the test. */
export interface PcpRouter {
  /** Of the router on this machine. */
  port: number;
  /** Lifetimes of the requests so far, in seconds; 0 takes the mapping back. */
  asked: number[];
  /** Whether it forwards the port now. */
  forwards(): boolean;
  /** As a restart does. */
  forget(): void;
}

export interface PcpAnswer {
  /** RFC 6887, section 7.4. */
  code?: number;
  seconds?: number;
  publicAddress?: string;
}

/** `answer` is called with the number of the request, from 1. */
export async function startPcpRouter(t: Test, answer: (nth: number) => PcpAnswer = () => ({})): Promise<PcpRouter> {
  let until = 0;
  const socket = createSocket('udp4', (request, { port, address }) => {
    const seconds = request.readUInt32BE(4);
    router.asked.push(seconds);
    const answered = answer(router.asked.length);
    const { code = 0, seconds: granted = LIFETIME_SECONDS } = answered;
    if (code === 0) until = seconds === 0 ? 0 : performance.now() + granted * 1_000;
    socket.send(pcpAnswer(request, answered), port, address);
  }).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => void socket.close());
  const router: PcpRouter = {
    port: socket.address().port,
    asked: [],
    forwards: () => performance.now() < until,
    forget() {
      until = 0;
    },
  };
  return router;
}

/** RFC 6887, figures 3 and 10, with the public port 40000. */
export function pcpAnswer(
  request: Buffer,
  { code = 0, seconds = LIFETIME_SECONDS, publicAddress = '198.51.100.7' }: PcpAnswer = {},
): Buffer {
  const answer = Buffer.alloc(60);
  answer.set([2, 0x81, 0, code]);
  answer.writeUInt32BE(seconds, 4);
  request.copy(answer, 24, 24, 42);
  answer.writeUInt16BE(PUBLIC_PORT, 42);
  answer.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...publicAddress.split('.').map(Number)], 44);
  return answer;
}
