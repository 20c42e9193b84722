import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { createPcpMapper } from '../../../../../workers/tunnel/providers/static/mapping/pcp.ts';
import { MappingRefused } from '../../../../../workers/tunnel/providers/static/mapping/port-mapper.ts';
import { pcpAnswer } from '../../../../support/stand-ins/pcp-router.ts';

const WISH = { transport: 'udp', port: 19_132, publicPort: 19_133 } as const;
const signal = new AbortController().signal;

/** A router that answers each request with what `answer` returns, if anything. */
async function startRouter(t: Test, answer: (request: Buffer) => Buffer | undefined) {
  const requests: Buffer[] = [];
  const socket = createSocket('udp4', (request, { port, address }) => {
    requests.push(request);
    const answered = answer(request);
    if (answered) socket.send(answered, port, address);
  }).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const mapper = createPcpMapper({ host: '127.0.0.1', port: socket.address().port });
  t.teardown(() => {
    mapper.close();
    socket.close();
  });
  return { mapper, requests };
}

/** RFC 6886, sections 3.2 and 3.3. Other versions are answered as in section 3.5. */
function natPmpAnswer(request: Buffer, code = 0): Buffer {
  if (request[0] !== 0) return Buffer.from([0, 0x80 | request[1]!, 0, 1, 0, 0, 0, 9]);
  const head = Buffer.from([0, 0x80 | request[1]!, 0, code, 0, 0, 0, 9]);
  if (request[1] === 0) return Buffer.concat([head, Buffer.from([198, 51, 100, 7])]);
  const mapped = Buffer.alloc(8);
  request.copy(mapped, 0, 4, 6);
  mapped.writeUInt16BE(40_000, 2);
  mapped.writeUInt32BE(request.readUInt32BE(8), 4);
  return Buffer.concat([head, mapped]);
}

t.test('PCP: the request and what the router gave', async (t) => {
  const { mapper, requests } = await startRouter(t, (request) => pcpAnswer(request));
  const mapping = await mapper.map(WISH, signal);
  t.same(mapping, { publicAddress: '198.51.100.7', publicPort: 40_000, lifetimeMs: 120_000 });
  const [request] = requests;
  t.equal(request!.length, 60);
  t.equal(request!.subarray(8, 24).toString('hex'), '00000000000000000000ffff7f000001', 'the address of this computer');
  t.same([request![36], request!.readUInt16BE(40), request!.readUInt16BE(42)], [17, 19_132, 19_133]);
  await mapper.unmap(WISH, 40_000);
  t.equal(requests[1]!.readUInt32BE(4), 0, 'a lifetime of 0 takes it back');
  t.same(requests[1]!.subarray(24, 36), request!.subarray(24, 36), 'the same nonce');
});

t.test('a lost request is sent again, and an answer for somebody else is not taken', async (t) => {
  let lost = true;
  const { mapper, requests } = await startRouter(t, (request) => {
    if (lost) {
      lost = false;
      return undefined;
    }
    const answer = pcpAnswer(request);
    if (requests.length === 2) answer[24] = request[24]! ^ 0xff;
    return answer;
  });
  t.match(await mapper.map(WISH, signal), { publicPort: 40_000 });
  t.equal(requests.length, 3);
});

t.test('NAT-PMP, where the router knows only that', async (t) => {
  const { mapper } = await startRouter(t, (request) => natPmpAnswer(request));
  t.same(await mapper.map(WISH, signal), {
    publicAddress: '198.51.100.7',
    publicPort: 40_000,
    lifetimeMs: 3_600_000,
  });
  await mapper.unmap(WISH, 40_000);
});

t.test('refusals are put into words', async (t) => {
  for (const [answer, words] of [
    [(request: Buffer) => pcpAnswer(request, { code: 2 }), /^does not let this computer forward ports/],
    [(request: Buffer) => pcpAnswer(request, { code: 8 }), /^has no port left/],
    [(request: Buffer) => pcpAnswer(request, { code: 99 }), /PCP code 99/],
    [(request: Buffer) => natPmpAnswer(request, 3), /^has no connection to the internet/],
  ] as const) {
    const { mapper } = await startRouter(t, answer);
    const refusal = await mapper.map(WISH, signal).catch((error: unknown) => error);
    t.ok(refusal instanceof MappingRefused);
    t.match(String((refusal as Error).message), words);
  }
});

t.test('a router that does not answer, or not in this way, is given up', async (t) => {
  const { mapper, requests } = await startRouter(t, () => undefined);
  await t.rejects(mapper.map(WISH, signal), /does not answer/);
  t.equal(requests.length, 4);
  const { mapper: odd } = await startRouter(t, (request) => pcpAnswer(request).subarray(0, 30));
  await t.rejects(odd.map(WISH, signal), /code 0/);
});
