/** Returns the number at `offset` and where it ends; `undefined` if it is incomplete. Throws RangeError beyond five bytes. */
export function decodeVarInt(bytes: Buffer, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { value, end: offset + index + 1 };
  }
  throw new RangeError('a number of more than five bytes');
}

/** Returns a packet of the protocol since 1.7: length, id, body. */
export function encodeFrame(id: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const content = Buffer.concat([encodeVarInt(id), body]);
  return Buffer.concat([encodeVarInt(content.length), content]);
}

/** Returns a text with its length in bytes in front. */
export function encodeText(text: string): Buffer {
  const encoded = Buffer.from(text, 'utf8');
  return Buffer.concat([encodeVarInt(encoded.length), encoded]);
}

/** Returns the text at the start of `bytes`. Throws RangeError if it is incomplete. */
export function decodeText(bytes: Buffer): string {
  const length = decodeVarInt(bytes, 0);
  if (!length || length.value < 0 || length.end + length.value > bytes.length)
    throw new RangeError('a text is cut short');
  return bytes.toString('utf8', length.end, length.end + length.value);
}

/** A packet, and the bytes after it. */
export interface Frame {
  readonly id: number;
  readonly body: Buffer;
  readonly rest: Buffer;
}

/** Returns the first packet in `bytes`; `undefined` if it is incomplete. Throws RangeError if it is longer than `longest` bytes or has no id. */
export function decodeFrame(bytes: Buffer, longest: number): Frame | undefined {
  const length = decodeVarInt(bytes, 0);
  if (!length) return undefined;
  if (length.value < 1 || length.value > longest) throw new RangeError(`a packet of ${length.value} bytes`);
  const end = length.end + length.value;
  if (bytes.length < end) return undefined;
  const content = bytes.subarray(length.end, end);
  const id = decodeVarInt(content, 0);
  if (!id) throw new RangeError('a packet without a number');
  return { id: id.value, body: content.subarray(id.end), rest: bytes.subarray(end) };
}

/** Returns a number as a VarInt (minecraft.wiki, "Java Edition protocol/Data types"). */
export function encodeVarInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}
