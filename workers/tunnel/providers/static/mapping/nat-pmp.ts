import type { DatagramExchange } from './datagram-exchange.ts';
import { type Mapping, MappingRefused, type MappingWish } from './port-mapper.ts';

const RESPONSE = 128;
const PUBLIC_ADDRESS = 0;
const MAP = { udp: 1, tcp: 2 } as const;
const REASONS: Readonly<Record<number, string>> = {
  2: 'does not let this computer forward ports; allow it in its settings',
  3: 'has no connection to the internet at the moment',
  4: 'has no port left to forward',
};

/** Asks by NAT-PMP (RFC 6886, sections 3.2 and 3.3). `seconds` 0 takes the mapping back. */
export async function mapByNatPmp(
  exchange: DatagramExchange,
  { wish: { transport, port, publicPort }, seconds }: { wish: MappingWish; seconds: number },
  signal: AbortSignal,
): Promise<Mapping> {
  const address = await ask(exchange, Buffer.from([0, PUBLIC_ADDRESS]), 12, signal);
  const request = Buffer.alloc(12);
  request[1] = MAP[transport];
  request.writeUInt16BE(port, 4);
  request.writeUInt16BE(publicPort, 6);
  request.writeUInt32BE(seconds, 8);
  const mapped = await ask(exchange, request, 16, signal);
  return {
    publicAddress: address.subarray(8, 12).join('.'),
    publicPort: mapped.readUInt16BE(10),
    lifetimeMs: mapped.readUInt32BE(12) * 1_000,
  };
}

async function ask(exchange: DatagramExchange, request: Buffer, length: number, signal: AbortSignal): Promise<Buffer> {
  const operation = RESPONSE + request[1]!;
  const answer = await exchange.ask(request, (datagram) => datagram[0] === 0 && datagram[1] === operation, signal);
  const code = answer.readUInt16BE(2);
  if (code !== 0) throw new MappingRefused(REASONS[code] ?? `refuses to forward the port (NAT-PMP code ${code})`);
  if (answer.length < length) throw new Error('The router sent half an answer.');
  return answer;
}
