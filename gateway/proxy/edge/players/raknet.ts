/** Packets of RakNet, which Bedrock Edition uses (https://minecraft.wiki/w/RakNet). */
const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex');
const TIME_BYTES = 8;
/** Where each packet that begins a conversation has the magic: pings after the time, a request to connect at once. */
const MAGIC_AT: Readonly<Record<number, number>> = { 1: 1 + TIME_BYTES, 2: 1 + TIME_BYTES, 5: 1 };
const FRAME_SET = 0x80;

/** Returns whether a datagram can be the first of a player: a ping, or a request to connect. */
export function opensConnection(datagram: Buffer): boolean {
  const at = MAGIC_AT[datagram[0] ?? 0];
  return at !== undefined && datagram.subarray(at, at + MAGIC.length).equals(MAGIC);
}

/** Returns whether a datagram is one of an open connection. */
export function sendsGameData(datagram: Buffer): boolean {
  return (datagram[0] ?? 0) >= FRAME_SET;
}
