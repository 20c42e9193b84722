import { isPlayerName } from '../../domain/players/player-name.ts';
import { decodeText, decodeVarInt } from './packets.ts';

/** The first packet of a client: its protocol version and what it wants. */
export interface Handshake {
  readonly protocol: number;
  readonly next: 'status' | 'login';
}

/** 3: a client that another server has transferred (1.20.5 and later). It logs in as well. */
const NEXT_STATES: Readonly<Record<number, Handshake['next']>> = { 1: 'status', 2: 'login', 3: 'login' };
const PORT_BYTES = 2;

/** Reads the body of a handshake: protocol version, address, port, next state. Throws RangeError if it is not one. */
export function decodeHandshake(body: Buffer): Handshake {
  const protocol = decodeVarInt(body, 0);
  const addressLength = protocol && decodeVarInt(body, protocol.end);
  const wish = addressLength && decodeVarInt(body, addressLength.end + addressLength.value + PORT_BYTES);
  const next = wish && NEXT_STATES[wish.value];
  if (!next) throw new RangeError('Not a handshake');
  return { protocol: protocol.value, next };
}

/**
 * Reads the name in a "login start" packet. What follows it (a key in 1.19, a UUID since 1.20.2) depends on the version. Throws RangeError if
 * there is no valid player name.
 */
export function decodeLoginStart(body: Buffer): string {
  const name = decodeText(body);
  if (!isPlayerName(name, 'java')) throw new RangeError('Not a player name');
  return name;
}
