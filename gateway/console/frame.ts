const FIN_AND_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const MAX_2_BYTES = 0xffff;

/**
 * A whole text message as the bytes that go over the wire (RFC 6455, section 5.2; servers do not mask). Made once and written to
 * every viewer's socket as it is, where `ws` would make a header for each.
 */
export function textFrame(payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = length < LENGTH_IN_2_BYTES ? 2 : length <= MAX_2_BYTES ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame.writeUInt8(FIN_AND_TEXT, 0);
  if (head === 2) frame.writeUInt8(length, 1);
  else if (head === 4) {
    frame.writeUInt8(LENGTH_IN_2_BYTES, 1);
    frame.writeUInt16BE(length, 2);
  } else {
    frame.writeUInt8(LENGTH_IN_8_BYTES, 1);
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(payload, head);
  return frame;
}
