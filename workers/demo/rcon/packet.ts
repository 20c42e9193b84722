/** The types of packets. The answer to a login has the type of a command. */
export const LOGIN = 3;
export const COMMAND = 2;
export const LOGIN_ANSWER = 2;
export const COMMAND_ANSWER = 0;
/** The id of answers to a wrong password and to commands before the login. */
export const REFUSED_ID = -1;

/** Maximum length of a piece of an answer, in UTF-16 units. */
const PIECE = 4096;

/** Returns one packet: length, id and type as little-endian 32-bit numbers, the payload, two NULs. */
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
 * Cuts an answer into pieces like vanilla, which encodes each piece separately: an empty answer is one empty piece, a multiple of 4,096 units
 * has no shorter last piece, and half of a surrogate pair becomes a question mark.
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

/** Java encodes it as "?", Node.js as U+FFFD. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Returns the number at `offset`, or 0 if the packet is too short, like vanilla's reader. */
export function numberAt(packet: Buffer, offset: number): number {
  return packet.length - offset >= 4 ? packet.readInt32LE(offset) : 0;
}

/** Returns the text from `offset` to the first NUL. */
export function textAt(packet: Buffer, offset: number): string {
  const end = packet.indexOf(0, offset);
  return packet.toString('utf8', offset, end < 0 ? packet.length : end);
}
