import { decodeVarInt } from './packets.ts';

/** What a client wants after its first packet. */
export type NextState = 'status' | 'login';

/**
 * Reads the body of a handshake: protocol version, address, port, next state.
 *
 * @throws {RangeError} where it is cut short or asks for something else
 */
export function decodeHandshake(body: Buffer): NextState {
  const protocol = decodeVarInt(body, 0);
  const addressLength = protocol && decodeVarInt(body, protocol.end);
  const portBytes = 2;
  const next = addressLength && decodeVarInt(body, addressLength.end + addressLength.value + portBytes);
  if (next?.value === 1) return 'status';
  if (next?.value === 2) return 'login';
  throw new RangeError('Not a handshake');
}
