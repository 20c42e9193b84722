import { isPlayerName } from '../../domain/player-name.ts';
import { decodeText, decodeVarInt } from './packets.ts';

/** What a client says first: which protocol it speaks, and what it wants next. */
export interface Handshake {
  readonly protocol: number;
  readonly next: 'status' | 'login';
}

/** A client that another server has passed on (1.20.5 and later) logs in as well. */
const NEXT_STATES: Readonly<Record<number, Handshake['next']>> = { 1: 'status', 2: 'login', 3: 'login' };
const PORT_BYTES = 2;

/**
 * Reads the body of a handshake: protocol version, address, port, next state.
 *
 * @throws {RangeError} where it is cut short or asks for something else
 */
export function decodeHandshake(body: Buffer): Handshake {
  const protocol = decodeVarInt(body, 0);
  const addressLength = protocol && decodeVarInt(body, protocol.end);
  const wish = addressLength && decodeVarInt(body, addressLength.end + addressLength.value + PORT_BYTES);
  const next = wish && NEXT_STATES[wish.value];
  if (!next) throw new RangeError('Not a handshake');
  return { protocol: protocol.value, next };
}

/**
 * Reads the name in a "login start" packet; what follows it (a key in 1.19, a UUID since 1.20.2) differs from version to version.
 *
 * @throws {RangeError} where it is cut short, or the name is none that a player can have
 */
export function decodeLoginStart(body: Buffer): string {
  const name = decodeText(body);
  if (!isPlayerName(name, 'java')) throw new RangeError('Not a player name');
  return name;
}
