import { ListPingError } from '../list-ping/list-ping-error.ts';
import type { PingTarget, ServerPing } from '../list-ping/ping-server.ts';
import { MOST_NAMES, shownText } from './answer-fields.ts';
import { type DatagramExchange, exchangeDatagrams } from './datagram-exchange.ts';
import { PacketReader } from './packet-reader.ts';

const WHOLE = Buffer.from('ffffffff', 'hex');
const PART = Buffer.from('feffffff', 'hex');
const INFO_QUESTION = Buffer.concat([WHOLE, Buffer.from('TSource Engine Query\0')]);
const PLAYERS_QUESTION = Buffer.concat([WHOLE, Buffer.from('U')]);
const NO_CHALLENGE = Buffer.alloc(4, 0xff);
const CHALLENGE = 0x41;
const INFO = 0x49;
const PLAYERS = 0x44;
/** Bytes of an answer before its content, and of a challenge. */
const HEADER = 5;
const CHALLENGE_BYTES = 4;
/** Some servers do not say who plays. Milliseconds. */
const NAMES_TIMEOUT_MS = 500;
/** Most parts of an answer, so that a hostile server cannot fill the memory: 64 of at most 1,400 bytes. */
const MOST_PARTS = 64;
/** Set in the id of a part if the whole answer is compressed with bzip2, which only servers of 2006 did. */
const COMPRESSED = 0x80000000;
/** Its `A2S_INFO` has four more bytes. */
const THE_SHIP = 2400;

/**
 * Asks a server for its players with Valve's server queries, A2S_INFO and A2S_PLAYER (developer.valvesoftware.com/wiki/Server_queries), over
 * UDP. Bots do not count. The answer is untrusted. Throws ListPingError.
 */
export function queryA2s(target: PingTarget): Promise<ServerPing> {
  return exchangeDatagrams(target, async (exchange) => {
    const asked = performance.now();
    const info = await askWithChallenge(exchange, { question: INFO_QUESTION, answer: INFO });
    const latencyMs = performance.now() - asked;
    const { version, protocol, players, bots, max } = infoIn(info);
    const online = Math.max(0, players - bots);
    // Their names do not tell players from bots.
    const sample = online > 0 && bots === 0 ? await askNames(exchange) : [];
    return { version, protocol, online, max, sample: sample.slice(0, MOST_NAMES), latencyMs };
  });
}

interface Question {
  question: Buffer;
  /** The type of the answer. */
  answer: number;
  /** Sent along before the server has given one; absent: none. */
  challenge?: Buffer;
  withinMs?: number;
}

/** Returns the answer without its header. Asks a second time if the server gives a challenge. */
async function askWithChallenge(
  { ask }: DatagramExchange,
  { question, answer, challenge, withinMs }: Question,
): Promise<Buffer> {
  const first = challenge ? Buffer.concat([question, challenge]) : question;
  const message = await ask(first, assembled([CHALLENGE, answer]), withinMs);
  if (message[4] === answer) return message.subarray(HEADER);
  const given = message.subarray(HEADER, HEADER + CHALLENGE_BYTES);
  return (await ask(Buffer.concat([question, given]), assembled([answer]), withinMs)).subarray(HEADER);
}

/** Accepts messages of these types, put together from their parts. */
function assembled(types: readonly number[]): (message: Buffer) => Buffer | undefined {
  const parts = new Map<number, Buffer>();
  let id: number | undefined;
  const ofType = (message: Buffer) =>
    message.subarray(0, 4).equals(WHOLE) && types.includes(message[4] ?? 0) ? message : undefined;
  return (message) => {
    if (!message.subarray(0, 4).equals(PART)) return ofType(message);
    const part = message.readUInt32LE(4);
    if ((part & COMPRESSED) !== 0) throw new RangeError('it is compressed');
    if (part !== id) parts.clear();
    id = part;
    const total = message.readUInt8(8);
    const index = message.readUInt8(9);
    if (total === 0 || total > MOST_PARTS || index >= total) throw new RangeError('it has too many parts');
    parts.set(index, message.subarray(12)); // after the size of a part
    if (parts.size < total) return undefined;
    return ofType(Buffer.concat(Array.from({ length: total }, (_, at) => parts.get(at) ?? Buffer.alloc(0))));
  };
}

function infoIn(content: Buffer) {
  const reader = new PacketReader(content);
  const protocol = reader.byte();
  for (let text = 0; text < 4; text++) reader.text(); // name, map, folder, game
  const appId = reader.short();
  const [players, max, bots] = [reader.byte(), reader.byte(), reader.byte()];
  reader.skip(appId === THE_SHIP ? 7 : 4); // type, system, password, anti-cheat
  return { protocol, players, max, bots, version: shownText(reader.text()) };
}

/** Returns the players' names without those who are still joining; empty if the server does not say. */
async function askNames(exchange: DatagramExchange): Promise<string[]> {
  try {
    const question = { question: PLAYERS_QUESTION, answer: PLAYERS, challenge: NO_CHALLENGE };
    const content = await askWithChallenge(exchange, { ...question, withinMs: NAMES_TIMEOUT_MS });
    return namesIn(content);
  } catch (error) {
    if (error instanceof ListPingError || error instanceof RangeError) return []; // the count is known all the same
    throw error;
  }
}

/** A server that has more players than it can name cuts the list off. */
function namesIn(content: Buffer): string[] {
  const reader = new PacketReader(content);
  const names: string[] = [];
  for (let left = reader.byte(); left > 0 && !reader.isAtEnd; left--) {
    reader.skip(1); // index
    const name = shownText(reader.text());
    reader.skip(8); // score, seconds
    if (name !== '') names.push(name);
  }
  return names;
}
