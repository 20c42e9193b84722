/** The kinds of packet; an answer to a login is of the same kind as a command. */
export const LOGIN = 3;
export const COMMAND = 2;
export const LOGIN_ANSWER = 2;
export const COMMAND_ANSWER = 0;
/** The id of the answer to a wrong password, and to a command before the login. */
export const REFUSED_ID = -1;

/** The longest piece of an answer, in UTF-16 units. */
const PIECE = 4096;

/** One packet: length, id and kind as little-endian 32-bit numbers, the payload, two NULs. */
export function encodePacket(id: number, kind: number, payload: string): Buffer {
  const text = Buffer.from(payload, 'utf8');
  const packet = Buffer.alloc(14 + text.length);
  packet.writeInt32LE(10 + text.length, 0);
  packet.writeInt32LE(id, 4);
  packet.writeInt32LE(kind, 8);
  text.copy(packet, 12);
  return packet;
}

/**
 * The pieces that vanilla cuts an answer into, before it encodes each by itself: an empty answer is one empty piece, a
 * multiple of 4,096 units has no short last one, and half of a surrogate pair becomes a question mark.
 */
export function cutAnswer(answer: string): string[] {
  const pieces: string[] = [];
  let rest = answer;
  do {
    pieces.push(rest.slice(0, PIECE).replace(LONE_SURROGATE, '?'));
    rest = rest.slice(PIECE);
  } while (rest !== '');
  return pieces;
}

/** Java's encoder writes "?" where Node's writes U+FFFD. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A number of vanilla's reader: 0 where the packet is too short for it. */
export function numberAt(packet: Buffer, offset: number): number {
  return packet.length - offset >= 4 ? packet.readInt32LE(offset) : 0;
}

/** The text from `offset` up to the first NUL. */
export function textAt(packet: Buffer, offset: number): string {
  const end = packet.indexOf(0, offset);
  return packet.toString('utf8', offset, end < 0 ? packet.length : end);
}
