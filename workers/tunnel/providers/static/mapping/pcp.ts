import { randomBytes } from 'node:crypto';
import { type DatagramExchange, openExchange } from './datagram-exchange.ts';
import { mapByNatPmp } from './nat-pmp.ts';
import { type Mapping, MappingRefused, type MappingWish, type PortMapper } from './port-mapper.ts';

const VERSION = 2;
const MAP = 1;
const RESPONSE = 0x80;
const LENGTH = 60;
const LIFETIME_SECONDS = 3_600;
const PROTOCOLS = { tcp: 6, udp: 17 } as const;
const UNSUPPORTED_VERSION = 1;
const REASONS: Readonly<Record<number, string>> = {
  2: 'does not let this computer forward ports; allow it in its settings',
  7: 'has no connection to the internet at the moment',
  8: 'has no port left to forward',
  11: 'does not forward this port; choose another one',
  13: 'is behind another router, which does not forward the port to it',
};

/**
 * The Port Control Protocol (RFC 6887), and its predecessor NAT-PMP (RFC 6886) for routers that know only that. There is no kept package for
 * either that leaves the fixed port 5350 alone, which several servers cannot share.
 */
export function createPcpMapper(router: { host: string; port: number }): PortMapper {
  // The router recognizes by it that a renewal comes from the same program.
  const nonce = randomBytes(12);
  let exchange: Promise<DatagramExchange> | undefined;

  async function map(wish: MappingWish, seconds: number, signal: AbortSignal): Promise<Mapping> {
    exchange ??= openExchange(router.host, router.port);
    const connection = await exchange;
    const request = mapRequest({ wish, seconds, nonce, ownAddress: connection.ownAddress });
    const answer = await connection.ask(request, (datagram) => isAnswer(datagram, nonce), signal);
    if (answer[0] !== VERSION) return mapByNatPmp(connection, { wish, seconds }, signal);
    return readAnswer(answer);
  }

  return {
    name: 'PCP or NAT-PMP',
    map: (wish, signal) => map(wish, LIFETIME_SECONDS, signal),
    async unmap(wish) {
      await map({ ...wish, publicPort: 0 }, 0, new AbortController().signal);
    },
    close() {
      exchange?.then(({ close }) => close()).catch(() => undefined);
    },
  };
}

interface MapRequest {
  wish: MappingWish;
  /** 0 takes the mapping back. */
  seconds: number;
  nonce: Buffer;
  ownAddress: string;
}

/** RFC 6887, sections 7.1 and 11.1. */
function mapRequest({ wish: { transport, port, publicPort }, seconds, nonce, ownAddress }: MapRequest): Buffer {
  const request = Buffer.alloc(LENGTH);
  request[0] = VERSION;
  request[1] = MAP;
  request.writeUInt32BE(seconds, 4);
  mappedAddress(ownAddress).copy(request, 8);
  nonce.copy(request, 24);
  request[36] = PROTOCOLS[transport];
  request.writeUInt16BE(port, 40);
  request.writeUInt16BE(publicPort, 42);
  mappedAddress('0.0.0.0').copy(request, 44);
  return request;
}

/** A router that knows NAT-PMP only answers with version 0 (RFC 6887, appendix A). */
function isAnswer(datagram: Buffer, nonce: Buffer): boolean {
  if (datagram[0] !== VERSION) return datagram.length >= 4 && datagram[0] === 0;
  if (datagram[1] !== (RESPONSE | MAP) || datagram.length < 24) return false;
  return datagram.length < LENGTH || datagram.subarray(24, 36).equals(nonce);
}

/** RFC 6887, sections 7.2 and 11.1. */
function readAnswer(answer: Buffer): Mapping {
  const code = answer[3]!;
  if (code === UNSUPPORTED_VERSION || answer.length < LENGTH)
    throw new Error(`The router answered PCP with code ${code}.`);
  if (code !== 0) throw new MappingRefused(REASONS[code] ?? `refuses to forward the port (PCP code ${code})`);
  return {
    publicAddress: answer.subarray(56, 60).join('.'),
    publicPort: answer.readUInt16BE(42),
    lifetimeMs: answer.readUInt32BE(4) * 1_000,
  };
}

/** `::ffff:a.b.c.d`, 16 bytes. */
function mappedAddress(ipv4: string): Buffer {
  return Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...ipv4.split('.').map(Number)]);
}
