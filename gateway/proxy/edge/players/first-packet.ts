import { decodeFrame, decodeVarInt } from '../../../../shared/node/list-ping/packets.ts';

/** A handshake has some hundred bytes; mods add data to the host name. */
const LONGEST_FIRST_PACKET = 2048;

/** What a player's first packet says. */
export interface FirstPacket {
  /** The host name that the player typed, as a server's name is written. */
  host: string;
  /** The version of the client's protocol, if it asks for the status. Absent for one that logs in, and one that is older than 1.7. */
  statusFor?: number;
}

const LEGACY_PING = 0xfe;
const PLUGIN_MESSAGE = 0xfa;
/** `FE 01 FA`, then the length and the text "MC|PingHost", the length of the rest, the protocol version. */
const LEGACY_HOST_AT = 3 + 2 + 22 + 2 + 1;
const LEGACY_CHANNEL = Buffer.from('MC|PingHost', 'utf16le').swap16();
const LONGEST_LEGACY_HOST = 255;
const PORT_BYTES = 2;
/** Status, login, and a client that another server has transferred (since 1.20.5). */
const NEXT_STATES = new Set([1, 2, 3]);
const STATUS = 1;

/**
 * Reads the first packet of a Minecraft client (minecraft.wiki, "Java Edition protocol/Server List Ping"). Returns `undefined` while it is
 * incomplete. Throws RangeError for anything that is no handshake with a host name: an older ping, a header of the PROXY protocol, or another
 * protocol.
 */
export function readFirstPacket(bytes: Buffer): FirstPacket | undefined {
  if (bytes[0] === LEGACY_PING) return readLegacyPing(bytes);
  const frame = decodeFrame(bytes, LONGEST_FIRST_PACKET);
  if (!frame) return undefined;
  const { id, body } = frame;
  const protocol = id === 0 ? decodeVarInt(body, 0) : undefined;
  const length = protocol && decodeVarInt(body, protocol.end);
  if (!length || length.value < 0) throw new RangeError('not a handshake');
  const hostEnd = length.end + length.value;
  const next = decodeVarInt(body, hostEnd + PORT_BYTES);
  if (!next || !NEXT_STATES.has(next.value) || next.end !== body.length) throw new RangeError('not a handshake');
  const host = plainHost(body.toString('utf8', length.end, hostEnd));
  return next.value === STATUS ? { host, statusFor: protocol.value } : { host };
}

/** Of clients from 1.6 on. Older ones do not send the name. */
function readLegacyPing(bytes: Buffer): FirstPacket | undefined {
  const begins = [LEGACY_PING, 1, PLUGIN_MESSAGE, 0, LEGACY_CHANNEL.length / 2];
  if (begins.some((byte, index) => index < bytes.length && bytes[index] !== byte))
    throw new RangeError('a ping without a host name');
  if (bytes.length < LEGACY_HOST_AT + 2) return undefined;
  if (!bytes.subarray(begins.length, begins.length + LEGACY_CHANNEL.length).equals(LEGACY_CHANNEL))
    throw new RangeError('a ping without a host name');
  const length = bytes.readUInt16BE(LEGACY_HOST_AT);
  if (length > LONGEST_LEGACY_HOST) throw new RangeError('a host name that is too long');
  const end = LEGACY_HOST_AT + 2 + length * 2;
  if (bytes.length < end) return undefined;
  const host = Buffer.from(bytes.subarray(LEGACY_HOST_AT + 2, end))
    .swap16()
    .toString('utf16le');
  return { host: plainHost(host) };
}

/** RFC 1035, section 2.3.4. */
const LONGEST_HOST = 255;

/** Forge and Velocity add data after `\0`, TCPShield after `///`; some clients send the dot of a complete name. */
function plainHost(text: string): string {
  const [host = ''] = text.split(/\0|\/\/\//, 1);
  if (host.length > LONGEST_HOST) return ''; // of thousands of dots, the pattern would take milliseconds
  return host.replaceAll(/^\.+|\.+$/g, '').toLowerCase();
}
