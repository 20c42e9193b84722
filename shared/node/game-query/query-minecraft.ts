import { randomInt } from 'node:crypto';
import type { PingTarget, ServerPing } from '../list-ping/ping-server.ts';
import { count, MOST_NAMES, shownText } from './answer-fields.ts';
import { exchangeDatagrams } from './datagram-exchange.ts';
import { PacketReader } from './packet-reader.ts';

const MAGIC = Buffer.from('fefd', 'hex');
const HANDSHAKE = 9;
const STATUS = 0;
/** Type and session. */
const HEADER = 5;
/** Constants that say nothing: before the values, and between them and the players. */
const PADDING_BYTES = 11;
const PLAYERS_BYTES = 10;
/** Minecraft only repeats these bits of a session. */
const SESSION_BITS = 0x0f0f0f0f;

/**
 * Asks a server for its players with the query protocol of Minecraft (minecraft.wiki, "Query"), also spoken by PocketMine-MP and by servers
 * of other games as GameSpy 4, over UDP. The answer is untrusted. Throws ListPingError.
 */
export function queryMinecraft(target: PingTarget): Promise<ServerPing> {
  return exchangeDatagrams(target, async ({ ask }) => {
    const session = randomInt(2 ** 31) & SESSION_BITS;
    const asked = performance.now();
    const token = await ask(packet(HANDSHAKE, session), (message) => {
      const content = contentOf(message, HANDSHAKE, session);
      return content && Number(new PacketReader(content).text());
    });
    const latencyMs = performance.now() - asked;
    if (!Number.isSafeInteger(token)) throw new RangeError('its challenge is not a number');
    const challenge = Buffer.alloc(8); // the second half asks for the players
    challenge.writeInt32BE(token | 0);
    const status = await ask(packet(STATUS, session, challenge), (message) => {
      const content = contentOf(message, STATUS, session);
      return content && statusIn(content);
    });
    return { ...status, protocol: -1, latencyMs };
  });
}

function packet(type: number, session: number, content = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt8(type);
  header.writeInt32BE(session, 1);
  return Buffer.concat([MAGIC, header, content]);
}

/** Returns `undefined` for anything but an answer in this session. */
function contentOf(message: Buffer, type: number, session: number): Buffer | undefined {
  if (message.length < HEADER || message[0] !== type || message.readInt32BE(1) !== session) return undefined;
  return message.subarray(HEADER);
}

function statusIn(content: Buffer) {
  const reader = new PacketReader(content, PADDING_BYTES);
  const values = new Map<string, string>();
  for (let key = reader.text(); key !== ''; key = reader.text()) values.set(key, reader.text());
  const names: string[] = [];
  reader.skip(PLAYERS_BYTES);
  for (let name = reader.text(); name !== '' && names.length < MOST_NAMES; name = reader.text())
    names.push(shownText(name));
  return {
    version: shownText(values.get('version') ?? ''),
    online: count(values.get('numplayers')),
    max: count(values.get('maxplayers')),
    sample: names,
  };
}
